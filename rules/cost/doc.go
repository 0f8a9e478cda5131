// Package cost will estimate what CEL rules cost, hold that against the budgets of the API server, and find the
// smallest bound that would fit.
package cost
