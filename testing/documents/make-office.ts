import { strToU8, zipSync } from 'fflate'

// For tests: small documents of Office, OpenDocument and EPUB, as their programs write them.

/** The bytes of a zip. Text members are written as UTF-8. */
export const makeZip = (members: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(members).map(([name, content]) => [
          name,
          typeof content === 'string' ? strToU8(content) : content,
        ]),
      ),
    ),
  )

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The relations of a part: id, kind, target, and whether the target is an address. */
export const makeRelations = (rows: readonly (readonly [string, string, string, boolean?])[]): string =>
  `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows
    .map(
      ([id, type, target, isOutside]) =>
        `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"${isOutside ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`

/** A Word document with a body, and further parts by their names in `word/`. */
export const makeDocx = (body: string, parts: Readonly<Record<string, string>> = {}): Buffer =>
  makeZip({
    '[Content_Types].xml': `${XML}<Types/>`,
    'word/document.xml': `${XML}<w:document xmlns:w="w" xmlns:r="r"><w:body>${body}</w:body></w:document>`,
    ...Object.fromEntries(Object.entries(parts).map(([name, xml]) => [`word/${name}`, XML + xml])),
  })

/** A paragraph of Word with a style. */
export const makeParagraph = (text: string, properties = ''): string =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

type SheetParts = { name: string; xml: string; state?: string; comments?: string }

/** An Excel workbook. */
export function makeXlsx(
  sheets: readonly SheetParts[],
  {
    texts = [],
    styles = '',
    is1904 = false,
  }: { texts?: readonly string[]; styles?: string; is1904?: boolean } = {},
): Buffer {
  const rows: [string, string, string][] = sheets.map((_, at) => [
    `rId${at + 1}`,
    'worksheet',
    `worksheets/sheet${at + 1}.xml`,
  ])
  return makeZip({
    'xl/workbook.xml': `${XML}<workbook xmlns:r="r"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${sheets
      .map(
        ({ name, state }, at) =>
          `<sheet name="${name}" sheetId="${at + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${at + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': makeRelations([
      ...rows,
      ['rId90', 'sharedStrings', 'sharedStrings.xml'],
      ['rId91', 'styles', 'styles.xml'],
    ]),
    'xl/sharedStrings.xml': `${XML}<sst>${texts.map(text => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': `${XML}<styleSheet>${styles}</styleSheet>`,
    ...Object.fromEntries(
      sheets.flatMap(({ xml, comments }, at) => [
        [`xl/worksheets/sheet${at + 1}.xml`, `${XML}<worksheet>${xml}</worksheet>`],
        ...(comments === undefined
          ? []
          : [
              [
                `xl/worksheets/_rels/sheet${at + 1}.xml.rels`,
                makeRelations([['rId1', 'comments', `../comments${at + 1}.xml`]]),
              ],
              [`xl/comments${at + 1}.xml`, `${XML}<comments>${comments}</comments>`],
            ]),
      ]),
    ),
  })
}

/** An OpenDocument file: `kind` is text, spreadsheet or presentation. */
export const makeOdf = (kind: string, body: string, styles = ''): Buffer =>
  makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `${XML}<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  })
