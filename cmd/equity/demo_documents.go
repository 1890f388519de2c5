package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/johnfercher/maroto/v2"
	"github.com/johnfercher/maroto/v2/pkg/components/text"

	"equity/organization"
	"equity/organization/document"
	"equity/persistence/blob"
)

// demoDocument is a document of the demo company.
type demoDocument struct {
	path  []string
	title string
	lines []string
}

func demoDocuments() []demoDocument {
	return []demoDocument{
		{[]string{"Legal"}, "Certificate of incorporation", []string{"Northwind Instruments, Inc.", "State of Delaware, 4 March 2019"}},
		{[]string{"Legal"}, "Bylaws", []string{"Adopted by the board on 11 March 2019."}},
		{[]string{"Financing", "Series A"}, "Term sheet", []string{"Series A Preferred Stock", "Lead investor: Fjord Ventures II, L.P."}},
		{[]string{"Financing", "Series A"}, "Purchase agreement", []string{"Series A Preferred Stock purchase agreement"}},
		{[]string{"Board"}, "Minutes", []string{"Minutes of the board of directors", "Confidential"}},
	}
}

// demoRoom fills the data room of the demo company.
type demoRoom struct {
	*demoCompany
	id      organization.ID
	objects *blob.Guarded
	scan    document.Scan
}

// fill adds the documents, a second version of one of them, and restricts the folder of the board.
func (r demoRoom) fill(ctx context.Context) error {
	for _, paper := range demoDocuments() {
		r.add(ctx, paper)
	}
	second := demoDocuments()[1]
	second.lines = append(second.lines, "Amended on 2 May 2022.")
	r.add(ctx, second)
	view := inOrganization(r.demoCompany, "folder of investors", organization.RoomCommand(document.CreateFolder{Name: "Investor updates"}))
	if r.failure != nil {
		return r.failure
	}
	inOrganization(r.demoCompany, "access of investors", organization.RoomCommand(document.SetAccess{
		ID: view.ID, Access: document.Access{Mode: document.Restricted, Roles: []string{organization.RoleInvestor}, Watermark: true},
	}))
	return r.failure
}

// add stores a document as a PDF.
func (r demoRoom) add(ctx context.Context, paper demoDocument) {
	if r.failure != nil {
		return
	}
	content, err := paper.pdf()
	if err == nil {
		sum := sha256.Sum256(content)
		hash := hex.EncodeToString(sum[:])
		err = r.objects.Put(ctx, blob.Key("o/"+r.id.String(), hash), bytes.NewReader(content), int64(len(content)))
		if err == nil {
			inOrganization(r.demoCompany, paper.title, organization.RoomCommand(document.AddDocuments{
				Path: paper.path, OnConflict: document.NewVersion, Source: document.Source{Kind: "upload"},
				Files: []document.Content{{
					Name: paper.title + ".pdf", MediaType: "application/pdf", Size: int64(len(content)), SHA256: hash, Scan: r.scan,
				}},
			}))
			return
		}
	}
	r.failure = fmt.Errorf("demo company: %s: %w", paper.title, err)
}

// pdf returns the document as a PDF with one page.
func (d demoDocument) pdf() ([]byte, error) {
	const titleRow, lineRow = 14, 8
	page := maroto.New()
	page.AddRows(text.NewRow(titleRow, d.title))
	for _, line := range d.lines {
		page.AddRows(text.NewRow(lineRow, line))
	}
	made, err := page.Generate()
	if err != nil {
		return nil, fmt.Errorf("write PDF: %w", err)
	}
	return made.GetBytes(), nil
}
