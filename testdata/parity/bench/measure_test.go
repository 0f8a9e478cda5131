package main

import (
	"math"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3}, 3},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 1, 9, 2}, 3},
	} {
		if got := median(test.values); got != test.want {
			t.Errorf("median(%v) = %v, want %v", test.values, got, test.want)
		}
	}
}

func TestGeometricMean(t *testing.T) {
	if got := geometricMean([]float64{0.5, 2, 1}); math.Abs(got-1) > 1e-9 {
		t.Errorf("a half, the double and the same make %v, want 1", got)
	}
}
