/*
Copyright the authors of the shop.
*/

// Package v1 validates orders.
package v1

// +kubebuilder:webhook:path=/validate-shop-example-com-v1-order,mutating=false,failurePolicy=fail,sideEffects=None,groups=shop.example.com,resources=orders,verbs=create;update,versions=v1,name=vorder-v1.kb.io,admissionReviewVersions=v1

// OrderCustomValidator validates an Order
type OrderCustomValidator struct{}
