import Database from 'better-sqlite3'
import type { HostileDocument } from './hostile.ts'
import { makeDocx, makeOdf, makeParagraph, makeRelations, makeXlsx, makeZip } from './make-office.ts'

const hello = makeParagraph('Hello')
const BOMB = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(100)}"><!ENTITY c "${'&b;'.repeat(100)}">]>`
const OUTSIDE =
  '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY % b SYSTEM "http://localhost:1/x"> %b;]>'
const wordXml = (head: string, text: string) =>
  makeZip({
    'word/document.xml': `${head}<w:document><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
  })
const sheet = (xml: string) => makeXlsx([{ name: 'S', xml: `<sheetData>${xml}</sheetData>` }])

const book = (
  list: string,
  chapters: Record<string, string> = { 'one.xhtml': '<html><body><p>Chapter</p></body></html>' },
) =>
  makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
    'a.opf': `<package>${list}</package>`,
    ...chapters,
  })
const ONE = '<manifest><item id="a" href="one.xhtml"/></manifest>'

const renamed = (bytes: Buffer, from: string, to: string) =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')

function database(fill: (database: Database.Database) => void): Buffer {
  const made = new Database(':memory:')
  fill(made)
  const bytes = made.serialize()
  made.close()
  return bytes
}

/** Malicious or broken zips and databases. */
export const hostilePacked: readonly HostileDocument[] = [
  // Zips and the XML in them.
  {
    name: 'a bomb inside a document is not opened',
    file: 'a.docx',
    kind: 'docx',
    text: /^Hello$/,
    make: () =>
      makeDocx(hello, {
        'embeddings/bomb.zip': makeZip({ zeros: Buffer.alloc(9_000_000) }).toString('latin1'),
      }),
  },
  {
    name: 'a zip in a zip is named',
    file: 'a.zip',
    kind: 'other',
    problem: /^It is a zip archive \(1 file\)/,
    make: () => makeZip({ 'b.zip': makeZip({ 'c.zip': 'x' }) }),
  },
  {
    name: 'names that lead out of a zip are only names',
    file: 'a.docx',
    kind: 'docx',
    text: /^Hello$/,
    make: () =>
      makeZip({
        '../../evil': 'x',
        '/etc/evil': 'x',
        [String.raw`C:\evil`]: 'x',
        'word/document.xml': `<w:body>${hello}</w:body>`,
      }),
  },
  {
    name: 'names with NUL and line ends are only names',
    file: 'a.docx',
    kind: 'docx',
    text: /^Hello$/,
    make: () =>
      makeZip({
        'word/document.xml\0.exe': 'x',
        'a\nb': 'x',
        'word/document.xml': `<w:body>${hello}</w:body>`,
      }),
  },
  {
    name: 'a zip that claims a million files',
    file: 'a.docx',
    refused: /damaged/,
    make: () => {
      const bytes = Buffer.from(makeDocx(hello))
      bytes.writeUInt16LE(0xfffe, bytes.length - 12)
      return bytes
    },
  },
  {
    name: 'entities that grow stay what they are',
    file: 'a.docx',
    kind: 'docx',
    text: /^&c;&c;$/,
    make: () => wordXml(BOMB, '&c;&c;'),
  },
  {
    name: 'entities of other files and addresses are not read',
    file: 'a.docx',
    kind: 'docx',
    text: /^&a; text$/,
    make: () => wordXml(OUTSIDE, '&a; text'),
  },
  {
    name: 'the same in an OpenDocument text',
    file: 'a.odt',
    kind: 'odt',
    text: /&a;/,
    make: () =>
      makeZip({
        mimetype: 'application/vnd.oasis.opendocument.text',
        'content.xml': `${OUTSIDE}<office:body><office:text><text:p>x &a;</text:p></office:text></office:body>`,
      }),
  },
  {
    name: 'a picture that is a file elsewhere is not read',
    file: 'a.docx',
    kind: 'docx',
    text: /^Hello$/,
    make: () =>
      makeDocx(hello, {
        '_rels/document.xml.rels': makeRelations([
          ['r1', 'image', 'file:///etc/passwd', true],
          ['r2', 'footnotes', '../../../../etc/passwd'],
        ]),
      }),
  },
  {
    name: 'tables in tables in a Word document',
    file: 'a.docx',
    kind: 'docx',
    text: /deep/,
    make: () => makeDocx(`${'<w:tbl><w:tr><w:tc>'.repeat(20_000)}${makeParagraph('deep')}`),
  },
  {
    name: 'a part that includes itself',
    file: 'a.docx',
    kind: 'docx',
    text: /^Hello$/,
    make: () =>
      makeDocx(hello, {
        '_rels/document.xml.rels': makeRelations([
          ['r1', 'aFChunk', 'document.xml'],
          ['r2', 'header', 'document.xml'],
        ]),
      }),
  },
  // Tables.
  {
    name: 'a workbook with one cell in its last corner',
    file: 'a.xlsx',
    kind: 'xlsx',
    text: /empty/,
    problem: /^The sheet S is very wide: what stands right of column ALL is left out\.$/,
    make: () => sheet('<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>end</t></is></c></row>'),
  },
  {
    name: 'a workbook with cells at no place',
    file: 'a.xlsx',
    kind: 'xlsx',
    text: /here/,
    make: () =>
      sheet(
        '<row r="-5"><c r="ZZZZZZZZ99999999999" t="s"><v>99999</v></c><c r="" t="inlineStr"><is><t>here</t></is></c></row>',
      ),
  },
  {
    name: 'cells that are repeated a thousand million times',
    file: 'a.ods',
    kind: 'ods',
    text: /x/,
    problem: /very wide|repeated 1000000000 times; 1000 are shown/,
    make: () =>
      makeOdf(
        'spreadsheet',
        '<table:table table:name="S"><table:table-row><table:table-cell table:number-columns-repeated="1000000000" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated="1000000000"><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table>',
      ),
  },
  {
    name: 'spaces that are repeated a thousand million times',
    file: 'a.odt',
    kind: 'odt',
    text: /a\s+b/,
    make: () => makeOdf('text', '<text:p>a<text:s text:c="1000000000"/>b</text:p>'),
  },
  // Databases.
  {
    name: 'a database with values of 5 MB',
    file: 'a.db',
    kind: 'sqlite',
    text: /\(5,000,000 bytes\)/,
    make: () =>
      database(made =>
        made.exec(
          "create table t (a, b); insert into t values (zeroblob(5000000), replace(hex(zeroblob(2500000)), '0', 'x'))",
        ),
      ),
  },
  {
    name: 'a table whose name and columns are statements',
    file: 'a.db',
    kind: 'sqlite',
    text: /Table x"; drop table y;/,
    make: () =>
      database(made =>
        made.exec(
          `create table "x""; drop table y; --" ("a""b" text, "select 1"); insert into "x""; drop table y; --" values (1, 2)`,
        ),
      ),
  },
  {
    name: 'a table that a trigger and a column would compute for ever',
    file: 'a.db',
    kind: 'sqlite',
    text: /Table t: 1 row/,
    make: () =>
      database(made =>
        made.exec(
          'create table t (a, b as (a + 1)); insert into t values (1); create trigger r after insert on t begin insert into t values (1); end;',
        ),
      ),
  },
  {
    name: 'a schema that is no SQL',
    file: 'a.db',
    refused: /damaged|locked/,
    make: () =>
      renamed(
        database(made => made.exec('create table abcdefgh (a)')),
        'CREATE TABLE abcdefgh',
        'CREATE XXXXX abcdefgh',
      ),
  },
  // Books.
  {
    name: 'a book without an order of reading',
    file: 'a.epub',
    kind: 'epub',
    text: /Chapter/,
    problem: /order/,
    make: () => book(ONE),
  },
  {
    name: 'a book that repeats a chapter 50,000 times',
    file: 'a.epub',
    kind: 'epub',
    text: /Chapter/,
    most: 1_000_000,
    problem: /more than once/,
    make: () => book(`${ONE}<spine>${'<itemref idref="a"/>'.repeat(50_000)}</spine>`),
  },
  {
    name: 'a book whose chapter is a file elsewhere',
    file: 'a.epub',
    kind: 'epub',
    problem: /^1 of 1 chapters are missing/,
    make: () =>
      book(
        '<manifest><item id="a" href="../../../../etc/passwd"/></manifest><spine><itemref idref="a"/></spine>',
      ),
  },
]
