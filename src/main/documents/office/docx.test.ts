import { expect, test } from 'vitest'
import { makeDocx, makeParagraph, makeRelations } from '../../../../testing/documents/make-office.ts'
import { readMade, textsOf } from '../../../../testing/documents/read-made.ts'

const STYLES = `<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
  <w:style w:styleId="Mine"><w:name w:val="My own"/><w:basedOn w:val="berschrift1"/></w:style></w:styles>`
const cell = (text: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${makeParagraph(text)}</w:tc>`

test('headings, lists and tables of a Word document stay what they are', async () => {
  const item = (text: string, list: number, level = 0) =>
    makeParagraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)
  const body = [
    makeParagraph('Report', '<w:pStyle w:val="berschrift1"/>'),
    makeParagraph('Part', '<w:pStyle w:val="Mine"/>'),
    makeParagraph('A &amp; B'),
    item('one', 1),
    item('deeper', 1, 1),
    item('first', 2),
    item('second', 2),
    `<w:tbl><w:tr>${cell('Item')}${cell('Price')}${cell('Total')}</w:tr>
      <w:tr>${cell('Wide', '<w:gridSpan w:val="2"/>')}${cell('a|b')}</w:tr>
      <w:tr>${cell('Tea', '<w:vMerge w:val="restart"/>')}${cell('2')}${cell('3')}</w:tr>
      <w:tr>${cell('', '<w:vMerge/>')}${cell('4')}${cell('5')}</w:tr></w:tbl>`,
    makeParagraph('End'),
  ].join('')
  const numbering = `<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
    <w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`
  expect(
    await textsOf('a.docx', makeDocx(body, { 'styles.xml': STYLES, 'numbering.xml': numbering })),
  ).toEqual([
    `# Report

# Part

A & B

- one
  - deeper
1. first
2. second

| Item | Price | Total |
| --- | --- | --- |
| Wide |  | a\\|b |
| Tea | 2 | 3 |
| ″ | 4 | 5 |

End`,
  ])
})

test('tracked changes, comments and notes are told apart from the text', async () => {
  const run = (text: string, tag = 't') => `<w:r><w:${tag} xml:space="preserve">${text}</w:${tag}></w:r>`
  const body = `<w:p><w:pPr><w:rPr><w:ins w:id="1" w:author="Ada"/></w:rPr></w:pPr>${run('We pay ')}
    <w:del w:id="2" w:author="Ada">${run('100', 'delText')}</w:del><w:ins w:id="3" w:author="Bob">${run('200')}</w:ins>
    ${run(' euros')}<w:r><w:commentReference w:id="0"/></w:r><w:r><w:footnoteReference w:id="2"/></w:r>
    <w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden words</w:t></w:r></w:p>
    <w:p><w:hyperlink r:id="rId5">${run('our site')}</w:hyperlink></w:p>`
  const read = await readMade(
    'a.docx',
    makeDocx(body, {
      'comments.xml':
        '<w:comments><w:comment w:id="0" w:author="Cy"><w:p><w:r><w:t>Too much</w:t></w:r></w:p></w:comment></w:comments>',
      'footnotes.xml':
        '<w:footnotes><w:footnote w:type="separator" w:id="0"/><w:footnote w:id="2"><w:p><w:r><w:t>Net</w:t></w:r></w:p></w:footnote></w:footnotes>',
      'header1.xml': '<w:hdr><w:p><w:r><w:t>Draft</w:t></w:r></w:p></w:hdr>',
      '_rels/document.xml.rels': makeRelations([
        ['rId1', 'comments', 'comments.xml'],
        ['rId2', 'footnotes', 'footnotes.xml'],
        ['rId5', 'hyperlink', 'https://example.com/', true],
      ]),
    }),
  )
  expect(read).toEqual({
    kind: 'docx',
    pages: [
      {
        n: 1,
        text: `We pay [deleted by Ada: 100][inserted by Bob: 200] euros[comment 1][note 1]

our site (https://example.com/)

Notes:
[note 1] Net

Comments:
[comment 1] Cy: Too much

Above and below the pages:
Draft`,
      },
    ],
    problems: [
      'It has tracked changes, which are neither accepted nor rejected. They are marked in the text.',
      'Hidden text in it is left out.',
    ],
  })
})

test('text of a box is written once, though it is stored twice', async () => {
  const box = (text: string) => `<w:txbxContent>${makeParagraph(text)}</w:txbxContent>`
  const body = `<w:p><w:r><mc:AlternateContent><mc:Choice>${box('In a box')}</mc:Choice><mc:Fallback>${box('In a box')}</mc:Fallback></mc:AlternateContent></w:r></w:p>`
  expect(await textsOf('a.docx', makeDocx(body))).toEqual(['In a box'])
})

test('an entity grows to nothing', async () => {
  const bomb = `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(50)}"><!ENTITY c "${'&b;'.repeat(50)}">]>`
  const xml = `${bomb}<w:document><w:body>${makeParagraph('before &c; after')}</w:body></w:document>`
  expect(await textsOf('a.docx', makeDocx('', { 'document.xml': xml }))).toEqual(['before &c; after'])
})
