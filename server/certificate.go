package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"

	"k8s.io/apiserver/pkg/authentication/user"
	genericserver "k8s.io/apiserver/pkg/server"
)

// serverCertificate returns a certificate that clients on this machine can verify with itself, and its key, both as
// PEM.
func serverCertificate() (certificate, key []byte, err error) {
	return selfSigned(&x509.Certificate{
		Subject:     pkix.Name{CommonName: "crdproof"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost", genericserver.LoopbackClientServerNameOverride},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	})
}

// clientCertificate returns a certificate of a user, which the server can verify with itself.
func clientCertificate(u user.Info) (certificate, key []byte, err error) {
	return selfSigned(&x509.Certificate{
		Subject:     pkix.Name{CommonName: u.GetName(), Organization: u.GetGroups()},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
}

// selfSigned returns a certificate that is its own authority, and its key. The generic API server's own certificates
// are RSA, whose keys take longer to find than the server takes to start.
func selfSigned(template *x509.Certificate) (certificate, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127)); err != nil {
		return nil, nil, err
	}
	now := time.Now()
	template.NotBefore, template.NotAfter = now.Add(-time.Hour), now.AddDate(1, 0, 0)
	template.KeyUsage = x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign
	template.IsCA, template.BasicConstraintsValid = true, true
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return nil, nil, err
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}), nil
}
