import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { drop } from '../../test/models.tsx'
import { button, composer, showWindow } from '../../test/show-window.tsx'

const PIXEL = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='),
  sign => sign.charCodeAt(0),
)
const picture = (name = 'image.png') => new File([PIXEL], name, { type: 'image/png' })
const textFile = (name: string, text: BlobPart) => new File([text], name)

/** Paste as a browser does: what is given is in the clipboard. Returns whether the browser puts in nothing by itself. */
function paste(given: { files?: File[]; html?: string; text?: string }): boolean {
  const clipboardData = new DataTransfer()
  for (const file of given.files ?? []) clipboardData.items.add(file)
  if (given.html !== undefined) clipboardData.setData('text/html', given.html)
  if (given.text !== undefined) clipboardData.setData('text/plain', given.text)
  const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData })
  composer().element().dispatchEvent(event)
  return event.defaultPrevented
}

const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

afterEach(() => {
  delete window.desktop
})

describe('what cannot be sent', () => {
  test('a pasted picture is said, what was typed stays, and writing on takes the words away', async () => {
    await showWindow()
    await composer().fill('What is in this')
    expect(paste({ files: [picture()] })).toBe(true)
    await expect
      .element(said('Pictures cannot be sent yet, so the pasted one was left out. Describe it in words'))
      .toBeVisible()
    await expect.element(composer()).toHaveValue('What is in this')
    await userEvent.type(composer(), ' picture?')
    await expect.element(said('Pictures cannot')).not.toBeInTheDocument()
    await expect.element(composer()).toHaveValue('What is in this picture?')
  })

  test.each([
    ['photo.jpg', 'Pictures cannot be sent yet, so “photo.jpg” was left out.'],
    ['paper.pdf', 'PDFs cannot be sent yet, so “paper.pdf” was left out. Copy its text'],
    ['letter.docx', '“letter.docx” is no plain text'],
    ['song.mp3', 'Sounds cannot be sent'],
    ['film.mp4', 'Videos cannot be sent'],
  ])('a dropped %s: %s', async (name, says) => {
    await showWindow()
    await composer().fill('Look at')
    drop(composer().element(), textFile(name, 'x'))
    await expect.element(said(says)).toBeVisible()
    await expect.element(composer()).toHaveValue('Look at')
  })

  test('a binary, an empty and a much too long file are said each', async () => {
    await showWindow()
    drop(composer().element(), textFile('a.out', new Uint8Array([127, 69, 76, 70, 0, 1])))
    await expect.element(said('“a.out” is no plain text')).toBeVisible()
    drop(composer().element(), textFile('none.txt', ''))
    await expect.element(said('“none.txt” is empty')).toBeVisible()
    drop(composer().element(), textFile('log.txt', 'x'.repeat(200_001)))
    await expect.element(said('“log.txt” is too long for a message')).toBeVisible()
    await expect.element(composer()).toHaveValue('')
  })

  test('of several things each is named, and the texts among them are taken', async () => {
    await showWindow()
    drop(composer().element(), picture('a.png'), textFile('b.pdf', '%PDF'), textFile('todo.md', '- tea'))
    await expect
      .element(
        said(
          'The text of “todo.md” was put in. Only text can be sent until now, so 2 were left out: “a.png” (a picture) and “b.pdf” (a PDF).',
        ),
      )
      .toBeVisible()
    await expect.element(composer()).toHaveValue('todo.md:\n```\n- tea\n```\n')
  })

  test('an empty clipboard and one without words are said', async () => {
    await showWindow()
    await composer().fill('Hello')
    expect(paste({})).toBe(true)
    await expect.element(said('Nothing was pasted: the clipboard holds no text.')).toBeVisible()
    paste({ html: '<img src="https://a.example/b.png">' })
    await expect.element(said('has no words')).toBeVisible()
    await expect.element(composer()).toHaveValue('Hello')
  })

  test('in the desktop app the path of what was left out can be put in', async () => {
    await showWindow()
    window.desktop = { requestPort() {}, pathOf: file => `/home/ada/${(file as File).name}` }
    await composer().fill('Look at')
    drop(composer().element(), picture('photo.png'))
    await button('Write its path').click()
    await expect.element(composer()).toHaveValue('Look at\n/home/ada/photo.png')
    await expect.element(composer()).toHaveFocus()
    await expect.element(said('Pictures cannot')).not.toBeInTheDocument()
  })
})

describe('what can be sent', () => {
  test('pasted text is left to the browser, with a picture of it in the clipboard, too', async () => {
    await showWindow()
    expect(paste({ text: 'cells', html: '<b>cells</b>', files: [picture()] })).toBe(false)
    await expect.element(said(/cannot be sent/)).not.toBeInTheDocument()
  })

  test('formatted text without plain text is put in as words', async () => {
    await showWindow()
    await composer().fill('Read: ')
    paste({ html: '<p>Dear <b>Ada</b>,</p><script>alert(1)</script><p>hello</p>' })
    await expect.element(composer()).toHaveValue('Read: \nDear Ada,\nhello')
  })

  test('a text file dropped anywhere in the chat goes in where one writes, in UTF-16 too', async () => {
    await showWindow()
    await composer().fill('Sum up')
    const utf16 = new Uint8Array([0xff, 0xfe, ...Array.from('für', sign => [sign.charCodeAt(0), 0]).flat()])
    drop(document.querySelector('main')!, textFile('notes.txt', utf16))
    await expect.element(composer()).toHaveValue('Sum up\nnotes.txt:\n```\nfür\n```\n')
    await expect.element(said('The text of “notes.txt” was put in.')).toBeVisible()
  })
})
