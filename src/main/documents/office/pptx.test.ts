import { expect, test } from 'vitest'
import { makeRelations, makeZip } from '../../../../testing/documents/make-office.ts'
import { readMade } from '../../../../testing/documents/read-made.ts'

const shape = (type: string, ...lines: string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${lines
    .map(
      line =>
        `<a:p>${line.startsWith('>') ? '<a:pPr lvl="1"/>' : ''}<a:r><a:t>${line.replace(/^>/, '')}</a:t></a:r></a:p>`,
    )
    .join('')}</p:txBody></p:sp>`
const slide = (shapes: string, more = '') =>
  `<p:sld xmlns:p="p"${more}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`

test('slides are read in their order, with the notes of the speaker and comments told apart', async () => {
  const table = `<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Year</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>Sum</a:t></a:r></a:p></a:txBody></a:tc></a:tr>
    <a:tr><a:tc><a:txBody><a:p><a:r><a:t>2024</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>7</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>`
  const read = await readMade(
    'a.pptx',
    makeZip({
      'ppt/presentation.xml':
        '<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': makeRelations([
        ['rId1', 'slide', 'slides/slide1.xml'],
        ['rId2', 'slide', '/ppt/slides/slide2.xml'],
      ]),
      'ppt/slides/slide1.xml': slide(shape('title', 'Last') + table, ' show="0"'),
      'ppt/slides/slide2.xml': slide(
        shape('ctrTitle', 'Welcome') + shape('body', 'One', '>Deeper') + shape('sldNum', '1'),
      ),
      'ppt/slides/_rels/slide2.xml.rels': makeRelations([
        ['rId1', 'notesSlide', '../notesSlides/notesSlide1.xml'],
        ['rId2', 'comments', '../comments/comment1.xml'],
      ]),
      'ppt/notesSlides/notesSlide1.xml': slide(shape('body', 'Smile first') + shape('sldNum', '1')),
      'ppt/commentAuthors.xml': '<p:cmAuthorLst><p:cmAuthor id="0" name="Ada"/></p:cmAuthorLst>',
      'ppt/comments/comment1.xml': '<p:cmLst><p:cm authorId="0"><p:text>Nice</p:text></p:cm></p:cmLst>',
    }),
  )
  expect(read).toEqual({
    kind: 'pptx',
    pages: [
      {
        n: 1,
        text: '# Welcome\n\n- One\n  - Deeper\n\nSpeaker notes:\nSmile first\n\nComments:\n- Ada: Nice',
      },
      { n: 2, text: '(hidden slide)\n\n# Last\n\n| Year | Sum |\n| --- | --- |\n| 2024 | 7 |' },
    ],
    problems: ['Slide 2 is hidden.'],
  })
})
