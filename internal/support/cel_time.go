package support

import (
	"strconv"
	"strings"
	"time"
)

// The range of timestamps in seconds since 1970: the years 1 to 9999.
const (
	minTime = -62135596800
	maxTime = 253402300799
)

func addDuration(a, b time.Duration) Result[time.Duration] {
	return durationOf(AddInt(int64(a), int64(b)))
}

func subtractDuration(a, b time.Duration) Result[time.Duration] {
	return durationOf(SubtractInt(int64(a), int64(b)))
}

func negateDuration(a time.Duration) Result[time.Duration] {
	return durationOf(NegateInt(int64(a)))
}

func durationOf(r Result[int64]) Result[time.Duration] {
	return Result[time.Duration]{time.Duration(r.val), r.err}
}

// addToTime is a timestamp some time later, in the same time zone.
func addToTime(t time.Time, d time.Duration) Result[time.Time] {
	sum := t.Add(d) // a time.Time has a larger range
	if s := sum.Unix(); s < minTime || s > maxTime {
		return fail[time.Time](timestampOverflow)
	}
	return OK(sum)
}

func subtractFromTime(t time.Time, d time.Duration) Result[time.Time] {
	back := negateDuration(d)
	if back.err != nil {
		return fail[time.Time](back.err)
	}
	return addToTime(t, back.val)
}

// subtractTimes is the time between two timestamps.
func subtractTimes(a, b time.Time) Result[time.Duration] {
	seconds := MultiplyInt(a.Unix()-b.Unix(), int64(time.Second))
	if seconds.err != nil {
		return fail[time.Duration](seconds.err)
	}
	return durationOf(AddInt(seconds.val, int64(a.Nanosecond()-b.Nanosecond())))
}

// inZone is a timestamp in a time zone, which is a name, or an offset such as -08:00.
func inZone(t time.Time, zone string) Result[time.Time] {
	hours, minutes, ok := strings.Cut(zone, ":")
	if !ok {
		place, err := time.LoadLocation(zone)
		if err != nil {
			return fail[time.Time](&Failure{err.Error()})
		}
		return OK(t.In(place))
	}
	h, err := strconv.Atoi(hours)
	if err != nil {
		return fail[time.Time](&Failure{err.Error()})
	}
	m, err := strconv.Atoi(minutes)
	if err != nil {
		return fail[time.Time](&Failure{err.Error()})
	}
	if hours[0] == '-' {
		m = -m
	}
	offset := int((time.Duration(h*60+m) * time.Minute).Seconds())
	return OK(t.In(time.FixedZone("", offset)))
}

// The parts of a timestamp, in UTC if no zone is given. Months, days of the month and of the year count from 0,
// except that Date counts days of the month from 1; the week begins on Sunday, with 0.

// FullYear is the year of a time.
func FullYear(t time.Time) int64 { return int64(t.UTC().Year()) }

// Month is the month of a time, from 0.
func Month(t time.Time) int64 { return int64(t.UTC().Month()) - 1 }

// DayOfYear is the day of the year of a time, from 0.
func DayOfYear(t time.Time) int64 { return int64(t.UTC().YearDay()) - 1 }

// DayOfMonth is the day of the month of a time, from 0.
func DayOfMonth(t time.Time) int64 { return int64(t.UTC().Day()) - 1 }

// Date is the day of the month of a time, from 1.
func Date(t time.Time) int64 { return int64(t.UTC().Day()) }

// DayOfWeek is the day of the week of a time, 0 for Sunday.
func DayOfWeek(t time.Time) int64 { return int64(t.UTC().Weekday()) }

// Hours is the hour of a time.
func Hours(t time.Time) int64 { return int64(t.UTC().Hour()) }

// Minutes is the minute of a time.
func Minutes(t time.Time) int64 { return int64(t.UTC().Minute()) }

// Seconds is the second of a time.
func Seconds(t time.Time) int64 { return int64(t.UTC().Second()) }

// Milliseconds is the millisecond of a time.
func Milliseconds(t time.Time) int64 { return int64(t.UTC().Nanosecond()) / 1e6 }

// zoned reads a part of a timestamp in a time zone: zoned(t, zone, Hours).
func zoned(t time.Time, zone string, part func(time.Time) int64) Result[int64] {
	local := inZone(t, zone)
	if local.err != nil {
		return fail[int64](local.err)
	}
	// The same reading of the clock, as one of UTC.
	l := local.val
	return OK(part(time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), l.Second(), l.Nanosecond(),
		time.UTC)))
}

// The whole of a duration in some unit, rounded towards zero.

// DurationHours is a duration in hours.
func DurationHours(d time.Duration) int64 { return int64(d.Hours()) }

// DurationMinutes is a duration in minutes.
func DurationMinutes(d time.Duration) int64 { return int64(d.Minutes()) }

// DurationSeconds is a duration in seconds.
func DurationSeconds(d time.Duration) int64 { return int64(d.Seconds()) }

// DurationMilliseconds is a duration in milliseconds.
func DurationMilliseconds(d time.Duration) int64 { return d.Milliseconds() }

// TimePart reads a part of a dynamic timestamp.
func TimePart(function string, x any, part func(time.Time) int64) any {
	switch x := x.(type) {
	case time.Time:
		return part(x)
	case *Failure:
		return x
	}
	return noOverload(function, x)
}

// TimeOrDurationPart reads a part of a timestamp or a duration.
func TimeOrDurationPart(function string, x any, part func(time.Time) int64, whole func(time.Duration) int64) any {
	if d, ok := x.(time.Duration); ok {
		return whole(d)
	}
	return TimePart(function, x, part)
}

// ZonedPart reads a part of a dynamic timestamp in a dynamic time zone.
func ZonedPart(function string, x, zone any, part func(time.Time) int64) any {
	t, isTime := x.(time.Time)
	z, isText := zone.(string)
	if !isTime || !isText {
		return noOverload(function, x, zone)
	}
	return zoned(t, z, part).Dyn()
}
