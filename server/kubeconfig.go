package server

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	clientcmd "k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// kubeconfigComment is the first line of each kubeconfig that a server writes.
const kubeconfigComment = "# written by crdproof's server, which removes it when it ends\n"

// writeKubeconfig writes the configuration of a client for programs in any language. It does not replace a file that
// another program has written.
func writeKubeconfig(path string, config *rest.Config) (err error) {
	const name = "crdproof"
	content := api.NewConfig()
	content.Clusters[name] = &api.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	content.AuthInfos[name] = &api.AuthInfo{Token: config.BearerToken}
	content.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name, Namespace: "default"}
	content.CurrentContext = name
	data, err := clientcmd.Write(*content)
	if err != nil {
		return err
	}
	if err := checkReplaceable(path); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("cannot write the kubeconfig %s: %w", path, err)
		}
	}()
	// The file has the token. A new file is only for this user, whoever owns the old one.
	file, err := os.CreateTemp(filepath.Dir(path), ".kubeconfig-*")
	if err != nil {
		return err
	}
	_, err = file.Write(append([]byte(kubeconfigComment), data...))
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return err
}

// checkReplaceable returns an error if a file exists that a server has not written.
func checkReplaceable(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var old []byte
	if err == nil && info.Mode().IsRegular() { // a pipe would block
		old, err = os.ReadFile(path)
	}
	switch {
	case err != nil:
		return fmt.Errorf("cannot write the kubeconfig %s: %w", path, err)
	case !bytes.HasPrefix(old, []byte(kubeconfigComment)):
		return fmt.Errorf("%s exists, and was not written by this program: remove it, or name another file", path)
	}
	return nil
}
