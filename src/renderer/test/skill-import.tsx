import { page } from 'vitest/browser'
import type { SkillImport } from '../../shared/contract/learned/skill-imports.ts'
import { aSkill, aSkillText } from './skills.ts'
import type { PreparedHost, TestHost } from './test-host.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { cautionLine, cautionSteps, danger, dangerousLine, fill, showPart } from './skill-editor.tsx'
import { ImportSkills, type Initial } from '../features/skills/import/ImportSkills.tsx'

export { cautionLine, cautionSteps, danger, dangerousLine }

/** The folder that skills are imported from. */
export const sharedFolder = ({ workspace }: Pick<TestHost, 'workspace'>) => `${workspace}/shared`

/** The SKILL.md files of skills in that folder, by skill name. */
export const shared = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map(name => [`shared/${name}/SKILL.md`, aSkillText({ name })]))

/** A skill that triggers a scan warning. */
export const withScript = {
  ...shared('backup'),
  'shared/backup/scripts/run.sh': `#!/bin/sh\n# keeps a copy\n${dangerousLine}\n`,
}
const brew = (often: string) => aSkillText({ name: 'brew' }, `1. Boil it ${often}.`)
/** A new version of the imported skill `brew`, at its source. */
export const newer = { 'shared/brew/SKILL.md': brew('twice') }
/** Import the first version of `brew` from its folder. */
export const importBrew = ({ seed }: Pick<PreparedHost, 'seed'>) =>
  void seed.skill({ ...aSkill({ name: 'brew', from: 'import' }), text: brew('once') })

export type Importing = { host: TestHost; closed: () => number }
type Start = (host: TestHost) => Initial | Promise<Initial>

/** Render the dialog with a library. `files` are created in the working folder. */
export async function showImport(
  files: Record<string, string> = {},
  initial?: Start,
  prepare: (host: PreparedHost) => void = () => {},
): Promise<Importing> {
  let closed = 0
  const host = await showPart(
    async host => {
      const begin = await initial?.(host)
      return (
        <>
          <ImportSkills open onClose={() => closed++} initial={begin} />
          <Toasts label="What just happened" closeLabel="Close" />
        </>
      )
    },
    host => {
      fill(host)
      prepare(host)
      // Queued after the imports above, so it overwrites the imported files.
      void host.seed.workspaceFiles(files)
    },
  )
  return { host, closed: () => closed }
}

/** Start with the shared folder. */
export const somewhere: Start = host => ({ kind: 'path', path: sharedFolder(host) })
export const box = (name: string) => page.getByRole('checkbox', { name: `Import “${name}”` })
export const details = (name: string) => page.getByRole('button', { name, exact: true })
export const asked = (host: TestHost, name: string) =>
  host.asked.filter(each => each.name === name).map(each => each.input as Record<string, unknown>)

/** Fake a repository, which tests cannot clone, with the skills of the shared folder. */
export function answerAsGit(host: TestHost): void {
  host.answer({
    async 'skills.fetch'(): Promise<SkillImport> {
      const found = await host.elsewhere['skills.fetch']({ from: { kind: 'path', path: sharedFolder(host) } })
      const commit = '0123456789abcdef0123'
      return { ...found, source: { kind: 'git', address: 'example.org/ada/skills', commit } }
    },
  })
}
