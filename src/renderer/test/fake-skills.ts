import type { HostClient } from '../../shared/contract/index.ts'
import type { AttachedSkill } from '../../shared/contract/messages.ts'
import type { SkillImport } from '../../shared/contract/skill-imports.ts'
import type {
  Skill,
  SkillActor,
  SkillFileChange,
  SkillFolder,
  SkillRevision,
  SkillUse,
} from '../../shared/contract/skills.ts'
import { Fault } from '../../shared/rpc.ts'
import { detail, fieldsOf, lint, made, rewritten, scanOf, type Entry, type Given } from './fake-skill.ts'

/** The library of a fake host, for tests to fill and to look into. */
export type FakeSkills = {
  list: () => readonly Skill[]
  text: (id: string, path?: string) => string | null | undefined
  /** What the host makes of a message: `/name text` sends that skill along. */
  named: (text: string) => [text: string, skill?: AttachedSkill]
  revisions: () => readonly SkillRevision[]
  /** Put a skill there as it was before, with its first revision; `body` becomes its SKILL.md. */
  add: (skill: Given) => Skill
  /** Many at once, without revisions. */
  addMany: (count: number, skill: (index: number) => Given) => void
  /** Change a file as the agent or another window does, and tell the window. */
  change: (id: string, text: string, by?: { actor?: SkillActor; note?: string; path?: string }) => void
  remove: (id: string) => void
  used: (key: string, use: Partial<SkillUse>) => void
  unreadable: (path: string, reason: string) => void
  project: (folder: SkillFolder) => void
  /** What is answered next: fetched by an import, by a look for updates, said by a model, chosen by it for a sample. */
  next: {
    fetched: SkillImport | null
    update: SkillImport | null
    opinion: { model: string; verdict: 'harmless' | 'doubtful' | 'harmful' | 'unclear'; text: string }
    samples: string[]
    choose: (sample: string, id: string) => string | null
  }
}

type Names = Extract<keyof HostClient, `skills.${string}`>
export type SkillHandlers = { [K in Names]: (...input: Parameters<HostClient[K]>) => unknown }

/** A library in memory that answers as the real one does; `onChange` is told after every change. */
export function fakeSkills(onChange: () => void): { skills: FakeSkills; handlers: SkillHandlers } {
  let entries: readonly Entry[] = []
  const revisions: SkillRevision[] = []
  const versions = new Map<number, { before: Entry | null; after: Entry | null }>()
  const uses = new Map<string, SkillUse[]>()
  const unreadable: { path: string; reason: string }[] = []
  let folders: readonly SkillFolder[] = []
  let switches = { useInChats: true, learnFromChats: true }
  const fetched = new Map<string, SkillImport>()
  const next: FakeSkills['next'] = {
    fetched: null,
    update: null,
    opinion: { model: 'Built-in demo model', verdict: 'harmless', text: 'It only writes text.' },
    samples: ['One', 'Two', 'Three', 'Four', 'Five'],
    choose: (_sample, id) => id,
  }

  const find = (id: string) => entries.find(({ skill }) => skill.id === id)
  const found = (id: string) => {
    const entry = find(id)
    if (!entry) throw new Fault('not_found', 'There is no such skill any more.')
    return entry
  }

  /** Put an entry in the place of another; null for none. */
  function put(before: Entry | null, after: Entry | null) {
    const others = entries.filter(
      ({ skill }) => skill.id !== before?.skill.id && skill.id !== after?.skill.id,
    )
    entries = after ? [...others, after] : others
  }

  type By = { actor?: SkillActor; note?: string; undoes?: number | null }

  function log(
    op: SkillRevision['op'],
    before: Entry | null,
    after: Entry | null,
    { actor = 'you', note = '', undoes = null }: By = {},
  ): SkillRevision {
    const { skill } = (after ?? before)!
    const paths = [...new Set([...Object.keys(before?.files ?? {}), ...Object.keys(after?.files ?? {})])]
    const files = paths.flatMap((path): SkillFileChange[] => {
      const [was, is] = [before?.files[path], after?.files[path]]
      return was === is ? [] : [{ path, before: was ?? null, after: is ?? null, binary: (was ?? is) == null }]
    })
    const id = revisions.length + 1
    const isAgent = actor === 'agent'
    const revision: SkillRevision = {
      id,
      key: skill.key,
      name: skill.name,
      op,
      actor,
      note,
      sessionId: isAgent ? 'c1' : null,
      messageId: isAgent ? 1 : null,
      reviewId: null,
      at: Date.now(),
      files,
      undoes,
      undoneBy: null,
    }
    revisions.push(revision)
    // What is taken back stands again when that is taken back in turn.
    for (let by = revision, isUndone = true; by.undoes !== null; isUndone = !isUndone) {
      const undone = revisions.find(each => each.id === by.undoes)!
      undone.undoneBy = isUndone ? by.id : null
      by = undone
    }
    versions.set(id, { before, after })
    put(before, after)
    return revision
  }

  /** Every change answers with what it wrote, and everybody is told. */
  function changing<T>(act: () => T): T {
    const answer = act()
    onChange()
    return answer
  }

  function mustBeFit(text: string, despite: boolean) {
    const [problem] = lint(text)
    if (problem) throw new Fault('bad_input', problem.text)
    const [danger] = scanOf(text).findings
    if (danger && !despite) throw new Fault('bad_input', `Not saved: line ${danger.line}. ${danger.reason}`)
  }

  function takeBack(revisionId: number, version: 'before' | 'after', undoes: number | null) {
    const kept = versions.get(revisionId)
    const revision = revisions.find(each => each.id === revisionId)
    if (!kept || !revision) throw new Fault('not_found', 'This change is not known.')
    const [target, other] = version === 'before' ? [kept.before, kept.after] : [kept.after, kept.before]
    const id = (target ?? other)!.skill.id
    const now = find(id) ?? (other && find(other.skill.id)) ?? null
    const op = { enable: 'disable', disable: 'enable' }[revision.op as string] as 'enable' | undefined
    if (!target) return log('delete', now, null, { undoes })
    return log(now ? (op ?? 'edit') : 'restore', now, target, { undoes })
  }
  function undo(id: number): SkillRevision[] {
    const revision = revisions.find(each => each.id === id)
    return !revision || revision.undoneBy !== null ? [] : [takeBack(id, 'before', id)]
  }

  const handlers: SkillHandlers = {
    'skills.list'() {
      const keys = new Set(entries.map(({ skill }) => skill.key))
      const last = new Map(revisions.map(each => [each.key, each]))
      const deleted = [...last.values()].filter(each => each.op === 'delete' && !keys.has(each.key))
      return {
        skills: entries.map(({ skill }) => skill),
        unreadable: [...unreadable],
        projects: [...folders],
        ...switches,
        deleted: deleted.toReversed(),
      }
    },
    'skills.get': ({ id }) => detail(found(id)),
    'skills.file'({ id, path }) {
      const text = found(id).files[path]
      if (text === undefined) throw new Fault('not_found', 'There is no such file.')
      return { text, bytes: text?.length ?? 2_048, binary: text === null }
    },
    'skills.check': ({ text, scan = false }) => ({
      issues: lint(text),
      fields: fieldsOf(text),
      tokens: Math.ceil(text.length / 4),
      scan: scan ? scanOf(text) : null,
    }),
    'skills.setFields'({ text, fields }) {
      const lines = Object.entries({ ...fieldsOf(text), ...fields }).flatMap(([name, value]) => {
        if (value === undefined || value.length === 0) return []
        const written = Array.isArray(value) ? `[${value.join(', ')}]` : value
        return [`${name === 'licence' ? 'license' : name}: ${written}`]
      })
      return { text: ['---', ...lines, '---', ''].join('\n') + text.replace(/^---\n[\s\S]*?\n---\n/u, '') }
    },
    'skills.create': ({ name, category = '', text, despite = false }) =>
      changing(() => {
        mustBeFit(text, despite)
        const id = `own/${category === '' ? '' : `${category}/`}${name}`
        if (find(id)) throw new Fault('conflict', `There is a skill called ${name} already.`)
        const revision = log('create', null, made({ name, id, category, files: { 'SKILL.md': text } }))
        return { revisions: [revision], id }
      }),
    'skills.save': ({ id, path, text, expected, despite = false }) =>
      changing(() => {
        const entry = found(id)
        if (path === 'SKILL.md') mustBeFit(text, despite)
        if ((entry.files[path] ?? null) !== expected)
          throw new Fault('conflict', 'This file was changed meanwhile.')
        const after = rewritten(entry, { ...entry.files, [path]: text })
        return { revisions: [log('edit', entry, after)], id: after.skill.id }
      }),
    'skills.removeFile': ({ id, path }) =>
      changing(() => {
        const entry = found(id)
        const { [path]: _gone, ...files } = entry.files
        const after = rewritten(entry, files)
        return { revisions: [log('edit', entry, after)], id: after.skill.id }
      }),
    'skills.remove': ({ ids }) =>
      changing(() => ({ revisions: ids.map(id => log('delete', found(id), null)) })),
    'skills.reset': ({ id }) =>
      changing(() => {
        const entry = found(id)
        return { revisions: entry.original ? [log('reset', entry, entry.original)] : [] }
      }),
    'skills.setEnabled': ({ ids, enabled, accept = false }) =>
      changing(() => ({
        revisions: ids.map(id => {
          const entry = found(id)
          const blocked = accept ? null : entry.skill.blocked
          const after = { ...entry, skill: { ...entry.skill, enabled, blocked } }
          return log(enabled ? 'enable' : 'disable', entry, after)
        }),
      })),
    'skills.history'({ key, sessionId, before = Infinity, limit = 50 }) {
      const all = revisions
        .filter(each => each.id < before)
        .filter(each => key === undefined || each.key === key)
        .filter(each => sessionId === undefined || each.sessionId === sessionId)
        .toReversed()
      return { revisions: all.slice(0, limit), more: all.length > limit }
    },
    'skills.undo': ({ revisionIds }) =>
      changing(() => ({ revisions: revisionIds.toSorted((a, b) => b - a).flatMap(undo) })),
    'skills.restore': ({ revisionId, version = 'after' }) =>
      changing(() => ({ revisions: [takeBack(revisionId, version, null)] })),
    'skills.uses': ({ key, limit = 50 }) => ({ uses: (uses.get(key) ?? []).slice(0, limit) }),
    'skills.setSwitches': change =>
      changing(() => {
        switches = { ...switches, ...(change as typeof switches) }
        return {}
      }),
    'skills.trust': ({ folder, trusted }) =>
      changing(() => {
        folders = folders.map(each => (each.folder === folder ? { ...each, trusted } : each))
        return {}
      }),
    'skills.index'() {
      const text = entries.map(({ skill }) => `- ${skill.name}: ${skill.description}`).join('\n')
      return { text, tokens: Math.ceil(text.length / 4) }
    },
    'skills.fetch'() {
      if (!next.fetched) throw new Fault('bad_input', 'There is no skill in it.')
      fetched.set(next.fetched.id, next.fetched)
      return next.fetched
    },
    'skills.install': ({ importId, choices }) =>
      changing(() => {
        const from = fetched.get(importId)
        if (!from) throw new Fault('not_found', 'This import is over; fetch it again.')
        const done = choices.map(choice => {
          const candidate = from.candidates.find(each => each.path === choice.path)!
          const { text, scan, issues, licence } = candidate
          const name = choice.as ?? candidate.name
          const entry = made({
            name,
            origin: 'imported',
            enabled: choice.on ?? candidate.on,
            scan,
            issues,
            source: { ...from.source, within: candidate.path, licence, importedAt: Date.now() },
            files: { 'SKILL.md': text.replace(/^name: .*$/mu, `name: ${name}`) },
          })
          const revision = log('import', find(entry.skill.id) ?? null, entry, { actor: 'import' })
          return { revision, id: entry.skill.id }
        })
        fetched.delete(importId)
        return { revisions: done.map(each => each.revision), ids: done.map(each => each.id) }
      }),
    'skills.importFile'({ importId, candidate, path }) {
      const found = fetched.get(importId)?.candidates.find(each => each.path === candidate)
      if (!found) throw new Fault('not_found', 'This import is over; fetch it again.')
      const isMain = found.files.some(file => file.path === path && file.kind === 'skill')
      const text = isMain ? found.text : `The text of ${path}.`
      return { text, bytes: text.length, binary: false }
    },
    'skills.discard'({ importId }) {
      fetched.delete(importId)
      return {}
    },
    'skills.update'() {
      if (next.update) fetched.set(next.update.id, next.update)
      return { import: next.update }
    },
    'skills.export': ({ ids }) => ({
      name: ids.length === 1 ? `${found(ids[0]!).skill.name}.zip` : 'skills.zip',
      base64: btoa('PK'),
    }),
    'skills.secondOpinion': () => next.opinion,
    'skills.samples': () => ({ samples: next.samples }),
    'skills.tryTrigger': ({ id, samples }) =>
      (async function* () {
        for (const sample of samples) {
          const chosen = next.choose(sample, id)
          const isThis = chosen === id
          yield { sample, chosen, isThis, unclear: false, model: 'Built-in demo model' }
        }
      })(),
  }

  const skills: FakeSkills = {
    list: () => entries.map(({ skill }) => skill),
    text: (id, path = 'SKILL.md') => find(id)?.files[path],
    named(text) {
      const [, name = '', rest = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/u.exec(text) ?? []
      const entry = entries.find(({ skill }) => skill.name === name)
      if (!entry) return [text]
      return [rest || `Use the skill ${name}.`, { id: entry.skill.id, name, text: detail(entry).body }]
    },
    revisions: () => revisions,
    add(given) {
      const entry = made(given)
      const actor = ({ agent: 'agent', imported: 'import' } as const)[entry.skill.origin as string] ?? 'you'
      const isMade = ['user', 'agent', 'imported'].includes(entry.skill.origin)
      const op = actor === 'import' ? 'import' : 'create'
      if (isMade) log(op, null, entry, { actor, note: given.note ?? '' })
      else put(null, entry)
      onChange()
      return entry.skill
    },
    addMany(count, skill) {
      entries = [...entries, ...Array.from({ length: count }, (_, index) => made(skill(index)))]
      onChange()
    },
    change(id, text, { actor = 'agent', note = '', path = 'SKILL.md' } = {}) {
      const entry = found(id)
      log('edit', entry, rewritten(entry, { ...entry.files, [path]: text }), { actor, note })
      onChange()
    },
    remove(id) {
      log('delete', found(id), null, { actor: 'agent' })
      onChange()
    },
    used(key, use) {
      const at = Date.now()
      const whole = {
        sessionId: 'c1',
        title: 'A chat',
        messageId: 1,
        at,
        by: 'agent',
        outcome: 'well',
      } as const
      uses.set(key, [...(uses.get(key) ?? []), { ...whole, ...use }])
    },
    unreadable: (path, reason) => void unreadable.push({ path, reason }),
    project: folder => void (folders = [...folders, folder]),
    next,
  }
  return { skills, handlers }
}
