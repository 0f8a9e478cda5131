// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import "k8s.io/apimachinery/pkg/util/validation/field"

// ValidateRequest returns the errors and the warnings of Admit, and its error. It does not make the object that a
// server would store, so it is several times faster for a valid object.
func (r *Resource) ValidateRequest(operation, subresource string, raw, old []byte) (field.ErrorList, []string, error) {
	isUpdate := operation == operationUpdate
	isStatus := isUpdate && r.Status && subresource == statusSubresource
	if (isUpdate && old != nil || operation == operationCreate) && (isStatus || subresource == "") {
		if r.isStored(raw, old, isUpdate, isStatus) {
			return nil, nil, nil
		}
	}
	_, errs, warnings, err := r.Admit(operation, subresource, raw, old)
	return errs, warnings, err
}

// mostFlat is the number of bytes up to which a request is read without maps first. One that is not certainly valid is
// read twice, which matters only for large ones.
const mostFlat = 128 << 10

// isStored reports whether a server certainly stores an object, or its status, and does not warn.
func (r *Resource) isStored(raw, old []byte, isUpdate, isStatus bool) bool {
	t := r.typ()
	if len(raw)+len(old) > mostFlat || t.Has&Resources != 0 || len(r.checks) > 0 || r.Counter != nil ||
		r.Status && t.dependsOn("status") {
		return false
	}
	judge := r.start(nil, nil, warningList{})
	judge.quiet, judge.judges, judge.isDecoded = true, true, true
	keeps := r.ScalePaths != nil
	reader := r.Types.reader()
	defer r.Types.release(reader)
	object, isCertain := reader.readObject(raw, t, judge, keeps)
	if !isCertain || !r.isOf(object) {
		return false
	}
	var before *flatObject
	if isUpdate {
		reader := r.Types.reader()
		defer r.Types.release(reader)
		if before, isCertain = reader.readObject(old, t, nil, keeps); !isCertain {
			return false
		}
	}
	switch {
	case isStatus:
		object = before.with(statusSubresource, object)
	case r.Status:
		object = object.with(statusSubresource, before)
	}
	return r.holds(judge, object, before)
}

// isOf reports whether an object is one of the resource.
func (r *Resource) isOf(object *flatObject) bool {
	kind, _ := object.get("kind")
	version, _ := object.get("apiVersion")
	return kind == r.Kind && version == r.apiVersion()
}

// holds reports whether all holds that is checked when the values of an object are valid.
func (r *Resource) holds(v *Validation, object, before *flatObject) bool {
	r.ScalePaths.check(v, object, false)
	if v.typ.Has&Lists != 0 {
		v.CheckLists(object, v.typ)
	}
	if v.typ.Has&withRules != 0 {
		var old any
		if before != nil {
			old = before
		}
		r.Rules.check(v, object, old, v.typ)
	}
	return v.failures == 0 && len(v.errs) == 0 && !v.isDone()
}
