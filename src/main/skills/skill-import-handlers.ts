import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { exportSkills } from './import/export-skills.ts'
import { chooseSkill, type Ask } from './try/choose-skill.ts'
import { samplesFor } from './try/samples.ts'
import { secondOpinion } from './try/second-opinion.ts'
import type { Imports, Library } from './types.ts'
import { done, shownFile, YOU } from './skill-handlers.ts'

type Parts = {
  library: Library
  imports: Imports
  workspace: string
  indexOf(workspace: string, contextTokens: number): string
  /** A model for single questions outside chats; without an id, the default model. */
  asking(modelId: string | undefined): Promise<{ name: string; ask: Ask } | { failed: string }>
}

/** Import and export skills, and ask a model about them. */
export function skillImportHandlers({ library, imports, workspace, indexOf, asking }: Parts) {
  const found = (id: string) => {
    const known = library.get(id)
    if (!known) throw new Fault('not_found', 'This skill does not exist any more.')
    return known
  }
  async function model(modelId: string | undefined) {
    const asked = await asking(modelId)
    if ('failed' in asked) throw new Fault('not_ready', asked.failed)
    return asked
  }

  return {
    'skills.fetch': ({ from }, signal) => imports.fetch(from, signal),
    'skills.install': async ({ importId, choices }) =>
      done(await imports.install(importId, choices, { ...YOU, actor: 'import' })),
    'skills.importFile': ({ importId, candidate, path }) =>
      shownFile(imports.file(importId, candidate, path)),
    async 'skills.discard'({ importId }) {
      await imports.discard(importId)
      return {}
    },
    'skills.update': async ({ id }, signal) => ({ import: await imports.update(id, signal) }),
    'skills.export'({ ids }) {
      const { name, bytes } = exportSkills(ids.map(id => found(id).found))
      return { name, base64: Buffer.from(bytes).toString('base64') }
    },
    async 'skills.secondOpinion'({ id, modelId }, signal) {
      const { name, ask } = await model(modelId)
      const { skill, found: onDisk } = found(id)
      const files = onDisk.parts.flatMap(({ path }) => {
        const file = library.file(id, path)
        return 'refused' in file ? [] : [{ path, text: Buffer.from(file.bytes).toString('utf8') }]
      })
      const opinion = await secondOpinion(ask, { name: skill.name, files }, signal)
      if ('failed' in opinion) throw new Fault('not_ready', opinion.failed)
      return { model: name, ...opinion }
    },
    'skills.samples'({ id }) {
      const { skill } = found(id)
      return {
        samples: samplesFor(
          skill,
          library.list().map(each => each.skill),
        ),
      }
    },
    async *'skills.tryTrigger'({ id, samples, modelId }, signal) {
      const { name, ask } = await model(modelId)
      const { skill } = found(id)
      const index = indexOf(skill.project ?? workspace, SAMPLE_WINDOW)
      for (const sample of samples) {
        if (signal.aborted) return
        const choice = await chooseSkill(ask, { index, sample }, signal)
        if ('failed' in choice) throw new Fault('not_ready', choice.failed)
        const { chosen, unclear } = choice
        yield { sample, chosen, isThis: chosen === skill.name, unclear, model: name }
      }
    },
  } satisfies Partial<HostHandlers>
}

/** Context window in tokens for which a trial builds the skill index. */
const SAMPLE_WINDOW = 8_192
