package main

import (
	"errors"
	"fmt"
)

// The typed value of cases with `host: true`. src/testing/host.ts builds the same one.

type point struct {
	X, Y   int
	Label  string
	hidden string
}

func (p point) String() string { return fmt.Sprintf("<%d,%d>", p.X, p.Y) }

type user struct {
	Name   string
	Age    uint8
	Email  *string
	Friend *user
	Tags   []string
	Extra  map[string]any
	secret string
}

func (u user) Greet(greeting string) string { return greeting + ", " + u.Name }
func (u *user) Rename(name string) *user    { return &user{Name: name, Age: u.Age} }
func (u user) Sum(numbers ...int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}
func (u user) Fail() (string, error) { return "", errors.New("no such luck") }
func (u user) Maybe(ok bool) (int, error) {
	if ok {
		return 7, nil
	}
	return 0, errors.New("not ok")
}
func (u user) Panic() string { panic("help") }

func host() any {
	email := "ada@example.org"
	return map[string]any{
		"Int":      42,
		"Int64":    int64(-7),
		"Int8":     int8(-8),
		"Uint":     uint(9),
		"Uint8":    uint8(200),
		"Uint64":   uint64(18446744073709551615),
		"Float":    3.5,
		"Complex":  complex(1, -2),
		"Bytes":    []byte("hello"),
		"Strings":  []string{"b", "a"},
		"Ints":     []int{3, 1, 2},
		"StrMap":   map[string]string{"k": "v", "j": "w"},
		"IntMap":   map[string]int{"one": 1, "two": 2},
		"NilMap":   map[string]any(nil),
		"NilSlice": []any(nil),
		"NilUser":  (*user)(nil),
		"Nil":      nil,
		"Point":    point{X: 1, Y: 2, Label: "p", hidden: "h"},
		"User": &user{Name: "Ada", Age: 36, Email: &email, Tags: []string{"x", "y"},
			Extra: map[string]any{"k": 1.0}, Friend: &user{Name: "Bob", secret: "s"}},
		"Add":   func(a, b int) int { return a + b },
		"Join":  func(sep string, parts ...string) string { return fmt.Sprint(sep, parts) },
		"Fails": func() (string, error) { return "", errors.New("broken") },
		"Error": errors.New("an error value"),
	}
}
