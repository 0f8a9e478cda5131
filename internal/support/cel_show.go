package support

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// crdShow formats a value as cel-go does in messages.
func crdShow(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case bool:
		return strconv.FormatBool(value)
	case int64:
		return strconv.FormatInt(value, 10)
	case uint64:
		return strconv.FormatUint(value, 10)
	case float64:
		return crdDoubleToString(value)
	case crdTypeName:
		return crdShowType(string(value))
	case time.Time:
		return value.String()
	case time.Duration:
		return value.String()
	case *crdFailure:
		return value.text
	case nil:
		return "0"
	case crdOptional:
		if value.set {
			return "optional(" + crdShow(value.val) + ")"
		}
		return "optional.none()"
	case crdList:
		items := make([]string, len(value.items))
		for i := range items {
			items[i] = crdShow(value.at(i))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case *crdMap:
		entries := make([]string, len(value.entries))
		for i, e := range value.entries {
			entries[i] = crdShow(e.key) + ": " + crdShow(e.val)
		}
		return "{" + strings.Join(entries, ", ") + "}"
	case crdPreserved:
		return fmt.Sprintf("&{%v}", crdShown(value.value))
	}
	return fmt.Sprintf("%v", value)
}

func (l crdList) goName() string {
	if l.typ != nil {
		switch l.typ.listType {
		case "set":
			return "*common.unstructuredSetList"
		case "map":
			return "*common.unstructuredMapList"
		}
		return "*common.unstructuredList"
	}
	if l.made == nil {
		return "*types.baseList"
	}
	switch l.made.kind {
	case crdSetSum:
		return "*common.refValSetList"
	case crdMapSum:
		return "*common.refValMapList"
	}
	return "*types.concatList"
}

// crdShowType is a type as cel-go prints it, which is longer than its name for some.
func crdShowType(name string) string {
	switch name {
	case "list", "optional_type":
		return name + "(dyn)"
	case "map":
		return "map(dyn, dyn)"
	}
	return name
}
