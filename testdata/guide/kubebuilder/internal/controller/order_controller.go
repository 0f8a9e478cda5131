/*
Copyright the authors of the shop.
*/

// Package controller sends orders.
package controller

// +kubebuilder:rbac:groups=shop.example.com,resources=orders,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=shop.example.com,resources=orders/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=shop.example.com,resources=orders/finalizers,verbs=update

// OrderReconciler reconciles an Order object
type OrderReconciler struct{}
