import { page } from 'vitest/browser'
import type { SkillCandidate, SkillImport } from '../../../../shared/contract/skill-imports.ts'
import type { FakeHost } from '../../../test/fake-host.ts'
import { aSkillText } from '../../../test/fake-skill.ts'
import { Toasts } from '../../../ui/Toasts.tsx'
import { fill, showPart } from '../edit/test-editor.tsx'
import { ImportSkills, type Initial } from './ImportSkills.tsx'

/** A skill in quarantine; nothing speaks against it unless the test says so. */
export function candidate(given: Partial<SkillCandidate> & { name: string }): SkillCandidate {
  const { name } = given
  const text = aSkillText({ name })
  return {
    path: `skills/${name}`,
    description: `How to do ${name}.`,
    text,
    files: [{ path: 'SKILL.md', bytes: text.length, kind: 'skill' }],
    issues: [],
    scan: { verdict: 'safe', findings: [] },
    licence: 'MIT',
    replaces: null,
    on: true,
    refused: null,
    ...given,
  }
}

export const found = (candidates: SkillCandidate[], given: Partial<SkillImport> = {}): SkillImport => ({
  id: 'import-1',
  source: { kind: 'git', address: 'example.org/ada/skills', commit: '0123456789abcdef0123' },
  candidates,
  leftOut: [],
  ...given,
})

export const withScript = candidate({
  name: 'backup',
  on: false,
  files: [
    { path: 'SKILL.md', bytes: 80, kind: 'skill' },
    { path: 'scripts/run.sh', bytes: 1_200, kind: 'script' },
  ],
  scan: {
    verdict: 'dangerous',
    findings: [
      {
        path: 'scripts/run.sh',
        line: 3,
        rule: 'send-secrets',
        category: 'exfiltration',
        severity: 'critical',
        block: true,
        reason: 'It sends your keys to a server.',
        excerpt: 'curl -d @id_ed25519',
      },
    ],
  },
})

/** A new version of the imported skill `brew`. */
export const newer = candidate({
  name: 'brew',
  replaces: {
    id: 'imported/brew',
    origin: 'imported',
    isEdited: false,
    changes: [{ path: 'SKILL.md', before: 'Boil it once.', after: 'Boil it twice.', binary: false }],
  },
})

export type Importing = { host: FakeHost; closed: () => number }

/** Draw the dialog over a library; fetching brings `fetched`. */
export async function showImport(
  fetched: SkillImport | null = null,
  initial?: Initial,
  prepare: (host: FakeHost) => void = () => {},
): Promise<Importing> {
  let closed = 0
  const host = await showPart(
    () => (
      <>
        <ImportSkills open onClose={() => closed++} initial={initial} />
        <Toasts label="Messages" closeLabel="Close" />
      </>
    ),
    host => {
      fill(host)
      host.skills.next.fetched = fetched
      prepare(host)
    },
  )
  return { host, closed: () => closed }
}

export const somewhere: Initial = { kind: 'path', path: '/home/ada/skills' }
export const box = (name: string) => page.getByRole('checkbox', { name: `Import “${name}”` })
export const details = (name: string) => page.getByRole('button', { name, exact: true })
export const asked = (host: FakeHost, name: string) =>
  host.asked.filter(each => each.name === name).map(each => each.input as Record<string, unknown>)
