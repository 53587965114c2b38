import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ScanReport, Skill, SkillIssue, SkillPart } from '../../../../shared/contract/learned/skills.ts'
import type { Fault } from '../../../../shared/rpc.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import {
  SKILL_FILE,
  unsavedIn,
  type Buffer,
  type Buffers,
  forgetDraft,
  keepDraft,
  keptDraft,
  newSkill,
} from './buffers.ts'
import { emptyForm, fieldsOf, formOf, syncForm, type Form, type FormKey } from './skill-form.ts'

/** Why a file was not saved. `scan` is set if the scan refused it, and `seen` is the hash of what it read. */
type Refused = { path: string; message: string; scan: ScanReport | null; seen: string | null }

type Draft = {
  /** The skill to save to; null until a new one is first saved. */
  id: string | null
  skill: Skill | null
  phase: 'loading' | 'ready' | 'failed'
  problem: string
  /** Whether unsaved changes from an earlier visit were restored. */
  restored: boolean
  category: string
  path: string
  files: readonly SkillPart[]
  buffers: Buffers
  /** Why the selected file cannot be shown as text. */
  unreadable: { path: string; why: string | null } | null
  /** Increases with each save. */
  saves: number
  /** Increases with each text change that was not typed. */
  revision: number
  form: Form
  formProblem: string
  issues: readonly SkillIssue[]
  tokens: number | null
  checkProblem: string
  saving: boolean
  refused: Refused | null
  conflict: { path: string; theirs: string | null } | null
  /** The line to scroll to. */
  goal: { path: string; line: number; turn: number } | null
}

export type DraftStore = Draft & {
  load: () => Promise<void>
  write: (text: string) => void
  setForm: (change: Partial<Form>) => void
  /** Set the focused field, which is not synchronized until blur; null on blur. */
  holdField: (key: FormKey | null) => void
  setCategory: (category: string) => void
  openFile: (path: string) => Promise<void>
  addFile: (path: string) => void
  jump: (path: string, line: number) => Promise<void>
  /** Save all unsaved files; true if all succeed. `despite` saves the refused file despite the scan. */
  save: (options?: { despite?: boolean }) => Promise<boolean>
  dismissRefused: () => void
  settle: (keep: 'mine' | 'theirs') => Promise<boolean>
  /** Reload from disk and discard changes. */
  revert: () => Promise<void>
  /** Stop all work. `keep` stores unsaved changes for the next edit, `drop` discards them. */
  close: (how: 'keep' | 'drop') => void
}

export type DraftStart = { id: string | null; initialText?: string | undefined }

/** Debounce of form changes, in ms. */
const FORM_MS = 250
const CHECK_MS = 350

const scanIn = (fault: Fault) => (fault.data ?? {}) as { scan?: ScanReport; seen?: string }

/** Merge the new scan of SKILL.md with the earlier findings of other files. */
function withOthers(report: ScanReport, before: ScanReport | null): ScanReport {
  const others = before?.findings.filter(finding => finding.path !== SKILL_FILE) ?? []
  const verdict = others.some(finding => finding.block) ? 'dangerous' : report.verdict
  return { verdict, findings: [...report.findings, ...others] }
}

/**
 * The draft of a skill: its files and the form of its front matter. The text is authoritative: the form
 * edits it through the host and is updated from it.
 */
export function createDraft(link: Pick<Link, 'client'>, start: DraftStart): StoreApi<DraftStore> {
  const { client } = link
  // A new skill with its own initial text gets its own draft.
  const keptAs = start.id ?? `new ${start.initialText ?? ''}`
  return createStore<DraftStore>((set, get) => {
    const touched = new Set<FormKey>()
    let held: FormKey | null = null
    let applying: Promise<void> | undefined
    let formTimer: ReturnType<typeof setTimeout> | undefined
    let checkTimer: ReturnType<typeof setTimeout> | undefined
    let checks = 0
    let turns = 0
    let isDropped = false
    let over = new AbortController()

    const skillText = () => get().buffers[SKILL_FILE]?.text ?? ''
    const put = (path: string, change: Partial<Buffer>) =>
      set(({ buffers }) => {
        const before = buffers[path] ?? { text: '', saved: null, original: '' }
        return { buffers: { ...buffers, [path]: { ...before, ...change } } }
      })
    /** Change a text from outside its field. */
    const replace = (path: string, change: Partial<Buffer>) => {
      put(path, change)
      set(({ revision }) => ({ revision: revision + 1 }))
      if (path === SKILL_FILE) checkSoon()
    }

    function checkSoon() {
      clearTimeout(checkTimer)
      checkTimer = setTimeout(() => void check(), CHECK_MS)
    }

    async function check() {
      clearTimeout(checkTimer)
      const text = skillText()
      const turn = ++checks
      const { id, refused } = get()
      const scan = refused?.path === SKILL_FILE && refused.scan !== null
      const name = id?.split('/').at(-1)
      const input = { text, scan, ...(name === undefined ? {} : { name }) }
      const answer = await attemptCall(client['skills.check'](input, { signal: over.signal }))
      // Ignore answers about an outdated text.
      if (over.signal.aborted || turn !== checks || text !== skillText()) return
      if (!answer.ok) return set({ checkProblem: answer.fault.message })
      const { issues, tokens, fields, scan: report } = answer.value
      set(({ form, refused }) => ({
        issues,
        tokens,
        checkProblem: '',
        form: syncForm(form, fields, new Set(held === null ? touched : [...touched, held])),
        refused: refused && report ? { ...refused, scan: withOthers(report, refused.scan) } : refused,
      }))
    }

    /** Apply the form to the text. Repeat if the user typed more in the meantime. */
    async function apply() {
      clearTimeout(formTimer)
      while (touched.size > 0 && !over.signal.aborted) {
        const { form } = get()
        const text = skillText()
        const fields = fieldsOf(form, touched)
        const answer = await attemptCall(
          client['skills.setFields']({ text, fields }, { signal: over.signal }),
        )
        if (over.signal.aborted) return
        if (!answer.ok) return set({ formProblem: answer.fault.message })
        if (text !== skillText() || form !== get().form) continue
        touched.clear()
        set({ formProblem: '' })
        if (answer.value.text !== text) replace(SKILL_FILE, { text: answer.value.text })
      }
    }
    const applyForm = () =>
      (applying ??= apply().finally(() => {
        applying = undefined
      }))

    /** Reload the skill after a save. */
    async function look(id: string) {
      const answer = await attemptCall(client['skills.get']({ id }, { signal: over.signal }))
      if (!answer.ok || over.signal.aborted) return
      set({ skill: answer.value.skill, files: answer.value.files })
    }

    /** The text of a file on disk; null if the file was deleted. */
    async function present(id: string, path: string): Promise<string | null> {
      const answer = await attemptCall(
        path === SKILL_FILE
          ? client['skills.get']({ id }).then(detail => detail.text)
          : client['skills.file']({ id, path }).then(file => file.text),
      )
      return answer.ok ? answer.value : null
    }

    async function refuse(path: string, text: string, fault: Fault) {
      const { id } = get()
      if (fault.code === 'conflict' && id !== null) {
        const theirs = await present(id, path)
        return set({ conflict: { path, theirs }, refused: null })
      }
      const { seen = null } = scanIn(fault)
      set({ refused: { path, message: fault.message, scan: await scanOf(path, text, fault), seen } })
    }

    /** The scan report of a refused text, if the scan refused it. */
    async function scanOf(path: string, text: string, fault: Fault): Promise<ScanReport | null> {
      if (fault.code !== 'bad_input') return null
      const { scan: given } = scanIn(fault)
      if (given) return given
      if (path !== SKILL_FILE) return null
      const answer = await attemptCall(client['skills.check']({ text, scan: true }))
      return answer.ok && answer.value.scan?.verdict === 'dangerous' ? answer.value.scan : null
    }

    /** The name in a text, which the form may not show yet. */
    async function nameIn(text: string): Promise<string> {
      const answer = await attemptCall(client['skills.check']({ text }))
      return answer.ok ? answer.value.fields.name : get().form.name.trim()
    }

    /** `insists`: the user was shown the scan's findings. Text changed since then is scanned again. */
    async function saveOne(path: string, insists: boolean): Promise<boolean> {
      const { id, category, buffers, refused } = get()
      const seen = insists ? refused?.seen : null
      const despite = seen == null ? {} : { despite: seen }
      const { text, saved } = buffers[path]!
      const answer = await attemptCall(
        id === null
          ? client['skills.create']({ name: await nameIn(text), category: category.trim(), text, ...despite })
          : client['skills.save']({ id, path, text, expected: saved, ...despite }),
      )
      if (!answer.ok) {
        if (path !== get().path) await get().openFile(path)
        await refuse(path, text, answer.fault)
        return false
      }
      put(path, { saved: text })
      if (answer.value.note !== undefined) showToast(answer.value.note)
      set({ id: answer.value.id, refused: null, conflict: null })
      return true
    }

    return {
      id: start.id,
      skill: null,
      phase: 'loading',
      problem: '',
      restored: false,
      category: '',
      path: SKILL_FILE,
      files: [],
      buffers: {},
      unreadable: null,
      saves: 0,
      revision: 0,
      form: emptyForm,
      formProblem: '',
      issues: [],
      tokens: null,
      checkProblem: '',
      saving: false,
      refused: null,
      conflict: null,
      goal: null,

      async load() {
        over = new AbortController()
        const { id } = get()
        const kept = keptDraft(link.client, keptAs)
        const fresh = { phase: 'ready', problem: '', restored: kept !== undefined } as const
        if (id === null) {
          const original = start.initialText ?? newSkill
          // A prepared initial text counts as unsaved, otherwise it would be lost.
          const first = {
            text: original,
            saved: null,
            original: start.initialText === undefined ? original : '',
          }
          set({ ...fresh, category: kept?.category ?? '', buffers: kept?.buffers ?? { [SKILL_FILE]: first } })
          return check()
        }
        set({ phase: 'loading' })
        const { signal } = over
        const answer = await attemptCall(client['skills.get']({ id }, { signal }))
        if (signal.aborted) return
        if (!answer.ok) return set({ phase: 'failed', problem: answer.fault.message })
        const { skill, text, fields, files, issues } = answer.value
        const buffers = kept?.buffers ?? { [SKILL_FILE]: { text, saved: text, original: text } }
        set({ ...fresh, skill, files, issues, buffers, form: formOf(fields), category: skill.category })
        return check()
      },

      write(text) {
        const { path } = get()
        put(path, { text })
        if (path === SKILL_FILE) checkSoon()
      },

      setForm(change) {
        for (const key of Object.keys(change) as FormKey[]) touched.add(key)
        set(({ form }) => ({ form: { ...form, ...change } }))
        clearTimeout(formTimer)
        formTimer = setTimeout(() => void applyForm(), FORM_MS)
      },

      holdField(key) {
        held = key
        if (key === null) checkSoon()
      },

      setCategory: category => set({ category }),

      async openFile(path) {
        const { id, buffers } = get()
        set({ path, unreadable: null, goal: null })
        if (buffers[path] || id === null) return
        const answer = await attemptCall(client['skills.file']({ id, path }, { signal: over.signal }))
        if (over.signal.aborted) return
        if (!answer.ok) return set({ unreadable: { path, why: answer.fault.message } })
        const { text } = answer.value
        if (text === null) return set({ unreadable: { path, why: null } })
        if (!get().buffers[path]) put(path, { text, saved: text, original: text })
      },

      addFile(path) {
        put(path, { text: '', saved: null, original: '' })
        set({ path, unreadable: null, goal: null })
      },

      async jump(path, line) {
        if (path !== get().path) await get().openFile(path)
        set({ goal: { path, line, turn: ++turns } })
      },

      async save({ despite = false } = {}) {
        if (get().saving || get().phase !== 'ready') return false
        set({ saving: true })
        try {
          await applyForm()
          if (touched.size > 0) return false
          const { buffers, refused } = get()
          const paths = Object.keys(buffers)
            .filter(path => buffers[path]!.saved !== buffers[path]!.text)
            // Save SKILL.md first, because other files need an existing skill.
            .toSorted((a, b) => Number(b === SKILL_FILE) - Number(a === SKILL_FILE))
          for (const path of paths)
            if (!(await saveOne(path, despite && path === refused?.path))) return false
          const now = get().id
          if (now === null) return true
          forgetDraft(link.client, keptAs)
          set({ restored: false })
          if (paths.length === 0) return true
          await look(now)
          checkSoon()
          set(({ saves }) => ({ saves: saves + 1 }))
          return true
        } finally {
          set({ saving: false })
        }
      },

      dismissRefused: () => set({ refused: null }),

      async settle(keep) {
        const { conflict } = get()
        if (!conflict) return false
        const { path, theirs } = conflict
        set({ conflict: null })
        if (keep === 'mine') {
          put(path, { saved: theirs })
          return get().save()
        }
        if (theirs !== null) replace(path, { text: theirs, saved: theirs, original: theirs })
        else if (path !== SKILL_FILE) {
          set(({ buffers: { [path]: _gone, ...buffers } }) => ({ buffers, path: SKILL_FILE }))
        }
        return true
      },

      async revert() {
        forgetDraft(link.client, keptAs)
        touched.clear()
        set(({ revision }) => ({
          path: SKILL_FILE,
          buffers: {},
          refused: null,
          conflict: null,
          revision: revision + 1,
        }))
        await get().load()
        set(({ revision }) => ({ revision: revision + 1 }))
      },

      close(how) {
        clearTimeout(formTimer)
        clearTimeout(checkTimer)
        over.abort()
        const { buffers, category, phase } = get()
        if (phase !== 'ready') return
        isDropped ||= how === 'drop'
        if (!isDropped && unsavedIn(buffers).length > 0) keepDraft(link.client, keptAs, { buffers, category })
        else forgetDraft(link.client, keptAs)
      },
    }
  })
}
