package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/go-logr/logr"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/crdproof/crdproof/objects/crds"
)

// Options say what a server serves, and where. The zero value is a server without CRDs on a free port.
type Options struct {
	// CRDs are arguments as crdproof check takes them: files, directories, trees (config/crd/...), patterns and
	// revisions of the git repository (v1.2.0:config/crd/bases). Go packages, such as ./api/..., are arguments too:
	// the CRDs of their types are generated.
	CRDs []string
	// Packages are patterns of Go packages, for those that CRDs would take for files.
	Packages []string
	// Objects are more CRDs, for example of modules that have them as Go values.
	Objects []*apiext.CustomResourceDefinition
	// Address is where the server listens: an address of this machine that others cannot reach. It is 127.0.0.1:0 if
	// it is empty; the port 0 is a free one.
	Address string
	// Kubeconfig is the file for the kubeconfig, which Stop removes. It is a temporary file if it is empty. A file that
	// another program has written is not replaced.
	Kubeconfig string
	// AnyNamespace accepts objects in namespaces that do not exist.
	AnyNamespace bool
	// Log leaves klog, through which the server's libraries log, as it is. Otherwise it is turned off, for all of the
	// process: it logs for those who operate an API server.
	Log bool
}

// A Server is a running API server.
type Server struct {
	options Options
	api     *apiServer
	// dir has the data, and kubeconfig is a file.
	dir, kubeconfig string
	stop            func() error
	// ends undo the steps of the start, in the reverse order.
	ends []func() error
	// running ends when the server is to stop, and failed when etcd has failed. The causes say why.
	running, failed context.Context
	// names are those of the CRDs that were loaded last.
	names atomic.Pointer[[]string]
}

// discardLog turns klog off. It does so once, because klog's logger must not be set while other servers log.
var discardLog = sync.OnceFunc(func() { klog.SetLogger(logr.Discard()) })

// New starts a server and returns when all CRDs are served. The server runs until Stop is called or the context ends.
// If CRDs cannot be read, or the server rejects them, the error is *Findings.
func New(ctx context.Context, options Options) (*Server, error) {
	if !options.Log {
		discardLog()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	load := sync.OnceValues(func() ([]crds.CRD, error) { return find(ctx, options) })
	go load() // while the server starts
	s := &Server{options: options, running: ctx, failed: context.Background()}
	s.stop = sync.OnceValue(func() (err error) {
		cancel(errStopped)
		for i := len(s.ends) - 1; i >= 0; i-- {
			err = errors.Join(err, s.ends[i]())
		}
		return err
	})
	err := s.start(ctx, cancel)
	if err == nil {
		err = s.serveFirst(ctx, load)
	}
	if err != nil {
		err = s.cause(err)
		if stopped := s.Stop(); !errors.Is(stopped, err) {
			err = errors.Join(err, stopped)
		}
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = s.Stop() }) // the caller's Stop returns the error
	return s, nil
}

// start starts etcd and the API server. If etcd fails later, it cancels the context with the error.
func (s *Server) start(ctx context.Context, cancel context.CancelCauseFunc) error {
	listener, err := listen(s.options.Address)
	if err != nil {
		return err
	}
	s.ends = append(s.ends, func() error {
		_ = listener.Close() // the API server has closed it, if it has started
		return nil
	})
	dir, err := newDirectory()
	if err != nil {
		return err
	}
	s.dir = dir.path
	s.ends = append(s.ends, dir.remove)
	etcd, err := startEtcd(ctx, s.dir)
	if err != nil {
		return err
	}
	s.ends = append(s.ends, etcd.close)
	s.failed = etcd.failed
	context.AfterFunc(etcd.failed, func() { cancel(context.Cause(etcd.failed)) })
	s.api, err = startAPIServer(ctx, listener, etcd.address(), s.options.AnyNamespace)
	if s.api != nil {
		s.ends = append(s.ends, func() error {
			<-s.api.stopped
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("the API server does not start: %w", err)
	}
	return nil
}

// serveFirst writes the kubeconfig and serves the CRDs of the options.
func (s *Server) serveFirst(ctx context.Context, load func() ([]crds.CRD, error)) error {
	path, err := filepath.Abs(cmp.Or(s.options.Kubeconfig, filepath.Join(s.dir, "kubeconfig")))
	if err != nil {
		return err
	}
	s.kubeconfig = path // absolute, because programs read it in other working directories
	if err := writeKubeconfig(path, s.api.config); err != nil {
		return err
	}
	s.ends = append(s.ends, func() error {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
	list, err := load()
	if err != nil {
		return err
	}
	for _, object := range s.options.Objects {
		list = append(list, crds.CRD{Object: object})
	}
	_, err = s.serve(ctx, list)
	return err
}

// Config returns the configuration of a client that may do everything. Callers may change it.
func (s *Server) Config() *rest.Config { return rest.CopyConfig(s.api.config) }

// Kubeconfig returns the path of a file with the same configuration, for kubectl and other programs.
func (s *Server) Kubeconfig() string { return s.kubeconfig }

// Names returns the names of the CRDs that were loaded last.
func (s *Server) Names() []string { return *s.names.Load() }

// Done returns a channel that is closed when the server no longer answers: after Stop, after the end of the context, or
// after an error that ends etcd, such as a full disk. Stop then returns the error.
func (s *Server) Done() <-chan struct{} { return s.api.stopped }

// Stop ends the server and removes its files. It returns when both is done, with an error if files remain or if etcd
// has failed. It may be called more than once.
func (s *Server) Stop() error { return s.stop() }

// errStopped is why a server no longer answers after Stop.
var errStopped = errors.New("the server has stopped")

// cause returns why the server no longer answers. If it does, cause returns the error that a caller has got.
func (s *Server) cause(err error) error {
	return cmp.Or(context.Cause(s.failed), context.Cause(s.running), err)
}

// listen listens on an address that only this machine reaches.
func listen(address string) (net.Listener, error) {
	if address == "" {
		address = "127.0.0.1:0"
	}
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("invalid address %q: %w", address, err)
	}
	if !resolved.IP.IsLoopback() {
		return nil, fmt.Errorf("address %q can be reached by others: expected a loopback address, such as "+
			"127.0.0.1:6443", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; the port 0 is a free one", address, errors.Unwrap(err))
	}
	return listener, nil
}
