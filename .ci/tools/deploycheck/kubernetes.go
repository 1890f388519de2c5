package main

import (
	"encoding/json"
	"fmt"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// kinds are the types of the manifests by apiVersion and kind.
func kinds() map[string]func() any {
	return map[string]func() any{
		"v1/ConfigMap":                       func() any { return &corev1.ConfigMap{} },
		"v1/Namespace":                       func() any { return &corev1.Namespace{} },
		"v1/PersistentVolumeClaim":           func() any { return &corev1.PersistentVolumeClaim{} },
		"v1/Secret":                          func() any { return &corev1.Secret{} },
		"v1/Service":                         func() any { return &corev1.Service{} },
		"v1/ServiceAccount":                  func() any { return &corev1.ServiceAccount{} },
		"apps/v1/Deployment":                 func() any { return &appsv1.Deployment{} },
		"apps/v1/StatefulSet":                func() any { return &appsv1.StatefulSet{} },
		"networking.k8s.io/v1/Ingress":       func() any { return &networkingv1.Ingress{} },
		"networking.k8s.io/v1/NetworkPolicy": func() any { return &networkingv1.NetworkPolicy{} },
		"policy/v1/PodDisruptionBudget":      func() any { return &policyv1.PodDisruptionBudget{} },
	}
}

func kubernetes(folders []string) error {
	known := kinds()
	for _, folder := range folders {
		objects, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		for _, object := range objects.Resources() {
			text, err := object.AsYAML()
			if err != nil {
				return fmt.Errorf("%s: %w", folder, err)
			}
			name := fmt.Sprintf("%s/%s", object.GetApiVersion(), object.GetKind())
			if known[name] == nil {
				return fmt.Errorf("%s: %s is not in the list of kinds", folder, name)
			}
			decoded := known[name]()
			if err := yaml.UnmarshalStrict(text, decoded); err != nil {
				return fmt.Errorf("%s: %s %s: %w", folder, name, object.GetName(), err)
			}
			if err := json.NewEncoder(os.Stdout).Encode(decoded); err != nil {
				return err
			}
		}
	}
	return nil
}
