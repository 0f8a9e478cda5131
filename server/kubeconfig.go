package server

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"k8s.io/client-go/rest"
	clientcmd "k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// kubeconfigComment is the first line of each kubeconfig that a server writes.
const kubeconfigComment = "# written by crdproof's server, which removes it when it ends\n"

// writeKubeconfig writes the configuration of a client for programs in any language. It does not replace a file that
// another program has written.
func writeKubeconfig(path string, config *rest.Config) error {
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
	switch old, err := os.ReadFile(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("cannot write the kubeconfig: %w", err)
	case !bytes.HasPrefix(old, []byte(kubeconfigComment)):
		return fmt.Errorf("%s exists, and was not written by this program: remove it, or name another file", path)
	}
	// The file has the token, so it is only for the user.
	if err := os.WriteFile(path, append([]byte(kubeconfigComment), data...), 0o600); err != nil {
		return fmt.Errorf("cannot write the kubeconfig: %w", err)
	}
	return os.Chmod(path, 0o600)
}
