import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Toasts } from '../../../ui/Toasts.tsx'
import { haiku, showPart } from '../../../test/skill-editor.tsx'
import { DropSkills } from './DropSkills.tsx'
import { asked, showImport } from '../../../test/skill-import.tsx'
import { readDrop, uploadLimits, type Upload } from './upload.ts'

const text = (path: string, content: string) => new File([content], path.split('/').at(-1)!)

/** An entry as the browser gives it for something that was dropped; `files` have the paths below it. */
function entry(name: string, content: File | Record<string, unknown>): FileSystemEntry {
  if (content instanceof File)
    return {
      name,
      isFile: true,
      isDirectory: false,
      file: (done: (file: File) => void) => done(content),
    } as never
  const children = Object.entries(content).map(([name, each]) => entry(name, each as File))
  return {
    name,
    isFile: false,
    isDirectory: true,
    createReader() {
      // As browsers do, it tells some at a time.
      const waiting = [...children]
      return { readEntries: (done: (some: FileSystemEntry[]) => void) => done(waiting.splice(0, 2)) }
    },
  } as never
}
const dropped = (...entries: FileSystemEntry[]) =>
  ({ items: entries.map(each => ({ webkitGetAsEntry: () => each })), files: [] }) as unknown as DataTransfer

function drop(on: Element, ...files: File[]) {
  const dataTransfer = new DataTransfer()
  for (const file of files) dataTransfer.items.add(file)
  for (const type of ['dragenter', 'dragover', 'drop'])
    on.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
}

test('a dropped folder is read with all its files, without .git and .DS_Store', async () => {
  const folder = entry('skills', {
    tea: { 'SKILL.md': text('SKILL.md', 'Tea'), scripts: { 'a.sh': text('a.sh', 'echo ü') } },
    one: { 'SKILL.md': text('SKILL.md', '') },
    '.git': { config: text('config', 'x') },
    '.DS_Store': text('.DS_Store', 'x'),
  })
  expect(await readDrop(dropped(folder))).toEqual({
    kind: 'upload',
    name: 'skills',
    files: [
      { path: 'skills/tea/SKILL.md', base64: btoa('Tea') },
      { path: 'skills/tea/scripts/a.sh', base64: 'ZWNobyDDvA==' },
      { path: 'skills/one/SKILL.md', base64: '' },
    ],
  })
})

test('a drop that is too large, has too many files or none is refused before it is read', async () => {
  const large = new File([new Uint8Array(uploadLimits.bytes + 1)], 'large.zip')
  await expect(readDrop(dropped(entry('large.zip', large)))).rejects.toThrow(/the limit here is \d+ [kM]B\./)
  const many = Object.fromEntries(
    Array.from({ length: uploadLimits.files + 1 }, (_, at) => [`${at}.md`, text('a.md', '')]),
  )
  await expect(readDrop(dropped(entry('many', many)))).rejects.toThrow(/more than 2,000 files/)
  await expect(readDrop(dropped())).rejects.toThrow('It contains no files.')
})

test('a zip dropped on the dialog is fetched', async () => {
  const { host } = await showImport()
  const { base64 } = await host.elsewhere['skills.export']({ ids: [haiku] })
  const zip = Uint8Array.from(atob(base64), letter => letter.codePointAt(0)!)
  const zone = page.getByText('Drop a folder, a zip or a SKILL.md here').element()
  drop(zone, new File([zip], 'haiku.zip'))
  await expect.element(page.getByRole('heading', { name: '1 skill found' })).toBeVisible()
  expect(asked(host, 'skills.fetch')).toEqual([
    { from: { kind: 'upload', name: 'haiku.zip', files: [{ path: 'haiku.zip', base64 }] } },
  ])
})

test('a file can be chosen with the file picker instead of dropping it', async () => {
  const { host } = await showImport()
  await expect.element(page.getByRole('button', { name: 'Choose a folder…' })).toBeEnabled()
  const field = document.querySelector<HTMLInputElement>('input[type="file"][accept]')!
  const chosen = new DataTransfer()
  chosen.items.add(text('SKILL.md', 'Tea'))
  field.files = chosen.files
  field.dispatchEvent(new Event('change', { bubbles: true }))
  await expect
    .poll(() => asked(host, 'skills.fetch'))
    .toEqual([
      { from: { kind: 'upload', name: 'SKILL.md', files: [{ path: 'SKILL.md', base64: btoa('Tea') }] } },
    ])
})

test('the page accepts a drop anywhere, and says why one is refused', async () => {
  const uploads: Upload[] = []
  await showPart(() => (
    <>
      <DropSkills onDrop={upload => uploads.push(upload)}>
        <p>The page</p>
      </DropSkills>
      <Toasts label="What just happened" closeLabel="Close" />
    </>
  ))
  const page_ = page.getByText('The page').element()
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(text('tea.zip', 'PK'))
  page_.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }))
  await expect.element(page.getByText('Drop to scan the skills in it')).toBeVisible()
  page_.dispatchEvent(new DragEvent('dragleave', { bubbles: true, dataTransfer }))
  await expect.element(page.getByText('Drop to scan the skills in it')).not.toBeInTheDocument()
  drop(page_, text('tea.zip', 'PK'))
  await expect.poll(() => uploads.map(upload => upload.name)).toEqual(['tea.zip'])
  drop(page_, new File([new Uint8Array(uploadLimits.bytes + 1)], 'large.zip'))
  await expect.element(page.getByText(/the limit here is/)).toBeVisible()
})

test('dragged text is ignored', async () => {
  await showPart(() => (
    <DropSkills onDrop={() => {}}>
      <p>The page</p>
    </DropSkills>
  ))
  const dataTransfer = new DataTransfer()
  dataTransfer.setData('text/plain', 'words')
  const event = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer })
  page.getByText('The page').element().dispatchEvent(event)
  expect(event.defaultPrevented).toBe(false)
})
