package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/asynkron/protoactor-go/cluster"
	"github.com/asynkron/protoactor-go/cluster/clusterproviders/k8s"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	typedv1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
)

// namespaceFile contains the namespace of the pod. The library reads it too.
const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// Kubernetes is the API server of the pod of this server. A member is a pod with labels, which is listed while all its containers are ready.
type Kubernetes struct {
	config *rest.Config
	pods   typedv1.PodInterface
	// pod is the name of the pod, which is its host name.
	pod string
}

// NewKubernetes returns the API server of this pod. The account of the pod must be permitted to get, watch and patch pods.
func NewKubernetes() (*Kubernetes, error) {
	config, err := rest.InClusterConfig()
	if err != nil {
		return nil, fmt.Errorf("kubernetes: %w", err)
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return paced{next} })
	namespace, err := os.ReadFile(namespaceFile)
	if err != nil {
		return nil, fmt.Errorf("kubernetes: %w", err)
	}
	pod, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("kubernetes: %w", err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("kubernetes: %w", err)
	}
	return &Kubernetes{config, client.CoreV1().Pods(strings.TrimSpace(string(namespace))), pod}, nil
}

// Registered reports whether the own pod has the labels of the member.
func (k *Kubernetes) Registered(ctx context.Context, id string) (bool, error) {
	pod, err := k.pods.Get(ctx, k.pod, metav1.GetOptions{})
	if err != nil {
		return false, fmt.Errorf("kubernetes: %w", err)
	}
	return pod.Labels[k8s.LabelMemberID] == id && pod.Labels[k8s.LabelCluster] == name, nil
}

// register sets the id of the member first, because the library keeps present labels and would choose another id. A process that was restarted in the same
// pod has another id than the previous one.
func (k *Kubernetes) register(ctx context.Context, id string) (cluster.ClusterProvider, error) {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": map[string]string{k8s.LabelMemberID: id}}})
	if err != nil {
		return nil, err
	}
	if _, err := k.pods.Patch(ctx, k.pod, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		return nil, fmt.Errorf("kubernetes: %w", err)
	}
	return k8s.NewWithConfig(k.config)
}
