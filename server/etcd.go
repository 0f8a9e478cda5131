package server

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/storage/wal"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// Sizes and counts that keep the files of etcd small. etcd's own values are for clusters that run for years.
const (
	// segmentBytes is the size of a file of the write-ahead log. etcd allocates this file and the next one when it
	// starts: 128 MB by default, which is more than a container has in /dev/shm. A request may be larger than a file.
	segmentBytes = 1 << 20
	// snapshotCount is the number of writes after which old files of the log may be removed: 10,000 by default, with
	// up to 1.5 MiB each.
	snapshotCount = 500
	// catchUpCount is the number of entries that etcd retains in memory for slow followers: 5,000 by default. A single
	// member has no followers, but 0 means the default.
	catchUpCount = 1
)

// useSmallSegments sets the size of the log's files. etcd has only a variable for that, which all servers of the
// process read, so it is written before the first one starts.
var useSmallSegments = sync.OnceFunc(func() { wal.SegmentSizeBytes = segmentBytes })

// An etcdStore is an etcd of one member.
type etcdStore struct {
	etcd *embed.Etcd
	// failed ends when etcd stops because of an error; the error is its cause.
	failed context.Context
}

// startEtcd starts a store in a directory. It listens on sockets in the directory only. Nothing waits for the disk: the
// data is gone with the process anyway.
func startEtcd(ctx context.Context, dir string) (*etcdStore, error) {
	useSmallSegments()
	failed, fail := context.WithCancelCause(context.Background())
	s := &etcdStore{failed: failed}
	fatal := onFatal{dir, fail}
	cfg := embed.NewConfig()
	cfg.Dir = filepath.Join(dir, "etcd")
	cfg.ZapLoggerBuilder = embed.NewZapLoggerBuilder(
		zap.New(zapcore.NewNopCore(), zap.WithFatalHook(fatal), zap.WithPanicHook(fatal)))
	cfg.UnsafeNoFsync = true
	cfg.SnapshotCount, cfg.SnapshotCatchUpEntries = snapshotCount, catchUpCount
	cfg.MaxSnapFiles, cfg.MaxWalFiles = 1, 1
	client := url.URL{Scheme: "unix", Path: filepath.Join(dir, clientSocket)}
	peer := url.URL{Scheme: "unix", Path: filepath.Join(dir, peerSocket)}
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)
	// A single member elects itself as soon as it ticks.
	cfg.TickMs, cfg.ElectionMs = 10, 100
	started := make(chan error, 1)
	go func() { // a fatal error ends this goroutine
		etcd, err := embed.StartEtcd(cfg)
		s.etcd = etcd
		started <- err
	}()
	select {
	case err := <-started:
		if err != nil {
			return nil, fmt.Errorf("etcd does not start in %s: %w", dir, err)
		}
	case <-failed.Done():
		return nil, context.Cause(failed)
	}
	var err error
	select {
	case <-s.etcd.Server.ReadyNotify():
		return s, nil
	case <-failed.Done(): // close returns the error
	case <-ctx.Done():
		err = ctx.Err()
	case err = <-s.etcd.Err():
	case <-time.After(time.Minute):
		err = fmt.Errorf("etcd in %s is not ready after a minute", dir)
	}
	return nil, errors.Join(err, s.close())
}

// address returns where clients find the store.
func (s *etcdStore) address() string { return "unix://" + s.etcd.Clients[0].Addr().String() }

// close stops the store. It returns the error that has stopped it before. Then parts of it may remain until the end of
// the process, because they wait for those that have failed.
func (s *etcdStore) close() error {
	closed := make(chan struct{})
	go func() { // a fatal error ends this goroutine
		s.etcd.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-s.failed.Done():
	}
	return context.Cause(s.failed)
}

// An onFatal is what happens when etcd logs a fatal error or a panic, such as a failed write to a full disk. By default
// the process would end, with the tests in it. Instead, the goroutine ends and the server reports the error.
type onFatal struct {
	dir  string
	fail context.CancelCauseFunc
}

// OnWrite implements zapcore.CheckWriteHook. It does not return, since etcd cannot continue after the error.
func (f onFatal) OnWrite(entry *zapcore.CheckedEntry, fields []zapcore.Field) {
	err := errors.New(entry.Message)
	for _, field := range fields {
		if cause, ok := field.Interface.(error); ok {
			err = fmt.Errorf("%w: %w", err, cause)
		}
	}
	f.fail(fmt.Errorf("etcd has failed, with its data in %s: %w", f.dir, err))
	runtime.Goexit()
}
