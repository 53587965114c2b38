import type { ReactNode } from 'react'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { HostProvider } from '../../../rpc/host-context.tsx'
import { fakeHost, type FakeHost, type FakeHostOptions } from '../../../test/fake-host.ts'
import { aSkillText } from '../../../test/fake-skill.ts'
// For what it does before every test, and for the looks of the window.
import '../../../test/show-app.tsx'
import { SkillEditor } from './SkillEditor.tsx'

/** Draw a part of the Skills page by itself over a fake host. */
export async function showPart(
  draw: () => ReactNode,
  prepare: (host: FakeHost) => void = () => {},
  options?: FakeHostOptions,
): Promise<FakeHost> {
  const host = fakeHost(options)
  prepare(host)
  await render(
    <HostProvider link={host.link}>
      <main className="h-dvh overflow-y-auto">{draw()}</main>
    </HostProvider>,
  )
  return host
}

export const haiku = 'own/haiku'
export const haikuText = aSkillText({ name: 'haiku', description: 'Writes a haiku.', tags: ['poems'] })

/** A library with a skill of the person's own that has a script, and one that ships with Talaria. */
export function fill({ skills }: FakeHost): void {
  skills.add({
    name: 'haiku',
    description: 'Writes a haiku.',
    tags: ['poems'],
    files: { 'scripts/count.sh': 'echo 5 7 5\n', 'assets/moon.png': null },
  })
  skills.add({ name: 'clean-csv', origin: 'builtin' })
}

export type Editing = { host: FakeHost; closed: () => number; saved: string[]; unsaved: boolean[] }

/** Draw the editor, and wait until its text is there. */
export async function showEditor(
  id: string | null = haiku,
  props: { initialText?: string; options?: FakeHostOptions } = {},
): Promise<Editing> {
  let closed = 0
  const saved: string[] = []
  const unsaved: boolean[] = []
  const { options, ...rest } = props
  const host = await showPart(
    () => (
      <SkillEditor
        id={id}
        {...rest}
        onClose={() => closed++}
        onSaved={id => saved.push(id)}
        onUnsaved={each => unsaved.push(each)}
      />
    ),
    fill,
    options,
  )
  return { host, closed: () => closed, saved, unsaved }
}

/** The text of a file; there is a plain field before the editor is there. */
export const code = (path = 'SKILL.md') => page.getByRole('textbox', { name: `Text of ${path}` })
export const field = (name: string) => page.getByRole('textbox', { name, exact: true })
/** The lines of the editor; null while it is still a plain field. */
export const lines = () =>
  [...(code().elements()[0]?.querySelectorAll('.cm-line') ?? [])].map(line => line.textContent)
