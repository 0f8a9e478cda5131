package main

const usage = `serve runs a Kubernetes API server for CRDs in one process: Kubernetes' own code on an embedded etcd.
It needs no cluster and no downloads, and keeps its data in memory. It prints a line for your shell that
sets KUBECONFIG, and ends on the first signal.

Usage:
  serve [flags] [<CRDs>…]
  serve [flags] [<CRDs>…] -- <command>…

Arguments:
  <file>             YAML or JSON with any number of documents; other kinds are ignored
  <directory>        its files *.yaml, *.yml and *.json
  <directory>/...    also those in its subdirectories
  <revision>:<path>  a file or directory in a revision of the git repository
  <packages>         Go packages, for example ./api/...: CRDs are generated from their types
  -- <command>       a command that runs with KUBECONFIG; the server ends with it and returns its exit
                     code

Without CRDs, those that the key crds of .crdproof.yaml names are served, or else those that crdproof test
finds from this directory upwards, such as those in config/crd/bases, or of the Go types in api.

The server has namespaces, ConfigMaps, Secrets, ServiceAccounts, Services, Events, Leases, RBAC kinds,
Pods, workloads such as Deployments, webhook configurations and admission policies; kubectl
api-resources lists all. It calls webhooks for admission and conversion. A deleted namespace is emptied
and removed.

It has neither controllers nor nodes: a Deployment makes no Pods, Pods do not run, and objects remain
when their owner is deleted. Built-in kinds have their defaults, but only their metadata are validated.
Roles are stored and not evaluated: the token of the kubeconfig may do everything. The server listens on
this machine only.

Examples:
  serve
  serve config/crd/bases
  serve ./api/... -- go test ./...
  serve --kubeconfig=kubeconfig.yaml --address=127.0.0.1:6443 v1.2.0:config/crd/bases
`
