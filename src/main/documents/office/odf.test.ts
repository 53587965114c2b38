import { expect, test } from 'vitest'
import { makeOdf, makeZip } from '../../../../testing/documents/make-office.ts'
import { readMade, textsOf } from '../../../../testing/documents/read-made.ts'

test('an OpenDocument text keeps headings, lists, tables, comments, notes and tracked changes', async () => {
  const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`
  const body = `<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info><dc:creator>Ada</dc:creator></office:change-info><text:p>old</text:p></text:deletion></text:changed-region>
    <text:changed-region text:id="c2"><text:insertion><office:change-info><dc:creator>Bob</dc:creator></office:change-info></text:insertion></text:changed-region></text:tracked-changes>
    <text:h text:outline-level="2">Plan</text:h>
    <text:p>We<text:s text:c="2"/>go<office:annotation><dc:creator>Cy</dc:creator><dc:date>2024-01-01</dc:date><text:p>When?</text:p></office:annotation>
    <text:change text:change-id="c1"/><text:change-start text:change-id="c2"/>new<text:change-end text:change-id="c2"/><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>By train</text:p></text:note-body></text:note></text:p>
    <text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>in it</text:p></text:list-item></text:list></text:list-item></text:list>
    <table:table><table:table-row>${cell('A')}${cell('B')}</table:table-row><table:table-row>${cell('1')}${cell('2')}</table:table-row></table:table>`
  expect(await readMade('a.odt', makeOdf('text', body))).toEqual({
    kind: 'odt',
    pages: [
      {
        n: 1,
        text: `## Plan

We  go[comment 1] [deleted by Ada: old][inserted by Bob: new][note 1]

- one
  - in it

| A | B |
| --- | --- |
| 1 | 2 |

Notes:
[note 1] By train

Comments:
[comment 1] Cy: When?`,
      },
    ],
    problems: [
      'It has tracked changes, which are neither accepted nor rejected. They are marked in the text.',
    ],
  })
})

test('slides of OpenDocument have the notes of the speaker', async () => {
  const body = `<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Hello</text:p></draw:text-box></draw:frame>
    <draw:frame><draw:text-box><text:list><text:list-item><text:p>Point</text:p></text:list-item></text:list></draw:text-box></draw:frame>
    <presentation:notes><draw:frame><draw:text-box><text:p>Say hi</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>
    <draw:page><draw:frame><draw:text-box><text:p>End</text:p></draw:text-box></draw:frame></draw:page>`
  expect(await textsOf('a.odp', makeOdf('presentation', body))).toEqual([
    '# Hello\n\n- Point\n\nSpeaker notes:\nSay hi',
    'End',
  ])
})

test('sheets of OpenDocument hold values, not how they look, and repeated cells stay few', async () => {
  const styles = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
  const cell = (type: string, value: string, shown: string, more = '') =>
    `<table:table-cell office:value-type="${type}" ${value} ${more}><text:p>${shown}</text:p></table:table-cell>`
  const body = `<table:table table:name="Jan"><table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>
    <table:table-row>${cell('string', '', 'Title', 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row>
    <table:table-row table:visibility="collapse">${cell('date', 'office:date-value="2024-01-02"', '02.01.24')}${cell('float', 'office:value="1234.5"', '1.234,50')}${cell('percentage', 'office:value="0.07"', '7%')}</table:table-row>
    <table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
    <table:table-row>${cell('time', 'office:time-value="PT08H30M00S"', '8:30')}${cell('currency', 'office:value="5" office:currency="EUR"', '5 €')}</table:table-row></table:table>
    <table:table table:name="Old" table:style-name="ta2"/>`
  expect(await readMade('a.ods', makeOdf('spreadsheet', body, styles))).toEqual({
    kind: 'ods',
    pages: [
      {
        n: 1,
        text: `Sheet Jan, A1:C1048003
Merged: A1:B1
Hidden: row 2 (shown here)
Hidden: column C (shown here)

|  | A | B | C |
| --- | --- | --- | --- |
| 1 | Title |  |  |
| 2 | 2024-01-02 | 1234.5 | 7 % |
| 1048003 | 08:30 | 5 EUR |  |`,
      },
      { n: 2, text: 'Sheet Old (hidden), empty' },
    ],
    problems: ['The sheet Old is hidden.'],
  })
})

test('texts above and below the pages stand at the end, each once, without the numbers of pages', async () => {
  const head = (name: string, text: string, more = '') =>
    `<style:${name}${more}><text:p>${text}</text:p></style:${name}>`
  const page = `${head('header', 'Draft <text:span>of May</text:span>')}${head('header-left', 'Draft of May')}${head('footer', 'Page <text:page-number>7</text:page-number>')}${head('footer-first', 'not shown', ' style:display="false"')}`
  const styles = `<office:document-styles><office:master-styles><style:master-page style:name="Standard">${page}</style:master-page></office:master-styles></office:document-styles>`
  const file = makeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml':
      '<office:document-content><office:body><office:text><text:p>Plan</text:p></office:text></office:body></office:document-content>',
    'styles.xml': styles,
  })
  expect(await textsOf('a.odt', file)).toEqual(['Plan\n\nAbove and below the pages:\nDraft of May\nPage'])
})

test('a locked OpenDocument file is named as one', async () => {
  const locked = makeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': 'xxxx',
    'META-INF/manifest.xml': '<manifest:manifest><manifest:encryption-data/></manifest:manifest>',
  })
  expect(await textsOf('a.odt', locked)).toMatch(/^is locked with a password, which Talaria cannot open/)
})
