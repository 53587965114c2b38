import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useLink } from '../../../rpc/host-context.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { keyText, useKeys } from '../../../ui/keys.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import type { Mark } from './code-editor.ts'
import { CodeField } from './CodeField.tsx'
import { Conflict } from './Conflict.tsx'
import { DraftContext, useDraft } from './draft-context.ts'
import { createDraft } from './draft-store.ts'
import { SKILL_FILE, unsavedIn } from './buffers.ts'
import { FieldsForm } from './FieldsForm.tsx'
import { FileBar } from './FileBar.tsx'
import { Issues } from './Issues.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { Notes } from './Notes.tsx'
import { Refusal } from './Refusal.tsx'
import { editText } from './strings.ts'

type Props = {
  /** The skill to edit; null writes a new one. */
  id: string | null
  onClose: () => void
  /** What a new skill begins with, in place of the template. */
  initialText?: string
  /** The id may be another one: that of the new skill, or of the edited copy of an original. */
  onSaved?: (id: string) => void
  /** Whether something is not saved, for whoever could lead away from here. */
  onUnsaved?: (unsaved: boolean) => void
}

/** The files of a skill as text, with a form for the front matter, checked while they are written. */
export function SkillEditor({ id, onClose, initialText, onSaved, onUnsaved }: Props): ReactNode {
  const link = useLink()
  const begin = () => createDraft(link, { id, initialText })
  const [shown, setShown] = useState(() => ({ id, draft: begin() }))
  const { draft } = shown
  // What was just saved under another id is still the same work.
  if (id !== shown.id) setShown({ id, draft: id === draft.getState().id ? draft : begin() })

  useEffect(() => {
    void draft.getState().load()
    return () => draft.getState().close('keep')
  }, [draft])

  const saved = useEffectEvent((id: string | null) => id !== null && onSaved?.(id))
  useEffect(
    () => draft.subscribe((now, before) => void (now.saves !== before.saves && saved(now.id))),
    [draft],
  )

  const unsaved = useStore(draft, ({ buffers }) => unsavedIn(buffers).length > 0)
  useEffect(() => {
    onUnsaved?.(unsaved)
  }, [unsaved, onUnsaved])
  useEffect(() => {
    if (!unsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])

  return (
    <DraftContext value={draft}>
      <Editor
        unsaved={unsaved}
        onClose={() => {
          draft.getState().close('drop')
          onClose()
        }}
      />
    </DraftContext>
  )
}

function Editor({ unsaved, onClose }: { unsaved: boolean; onClose: () => void }) {
  const phase = useDraft(draft => draft.phase)
  const problem = useDraft(draft => draft.problem)
  const load = useDraft(draft => draft.load)
  const save = useDraft(draft => draft.save)
  const path = useDraft(draft => draft.path)
  const [leaving, setLeaving] = useState(false)
  useKeys({ 'mod+s': () => void save() })

  if (phase === 'loading') {
    return (
      <output className="flex items-center gap-2 p-4 text-sm text-ink-2">
        <Spinner />
        {editText.loading}
      </output>
    )
  }
  if (phase === 'failed') {
    return (
      <div className="grid justify-items-start gap-3 p-4">
        <p role="alert" className="text-sm text-danger">
          {editText.failed(problem)}
        </p>
        <div className="flex gap-2">
          <button type="button" className="btn btn-secondary" onClick={() => void load()}>
            {editText.again}
          </button>
          <button type="button" className="btn btn-quiet" onClick={onClose}>
            {editText.close}
          </button>
        </div>
      </div>
    )
  }
  return (
    <div className="@container">
      <Header unsaved={unsaved} onClose={() => (unsaved ? setLeaving(true) : onClose())} />
      <div className="p-4">
        <Notes />
        <Conflict />
        <Refusal />
        <div className={path === SKILL_FILE ? 'grid gap-5 @3xl:grid-cols-[minmax(0,1fr)_19rem]' : ''}>
          <div className="min-w-0">
            <FileBar />
            <File key={path} />
          </div>
          {path === SKILL_FILE && (
            // What is wrong is seen while the text is written; in a narrow place it stands above the form.
            <div className="grid min-w-0 content-start gap-5">
              <Issues />
              <FieldsForm />
            </div>
          )}
        </div>
      </div>
      {leaving && <LeaveDialog onStay={() => setLeaving(false)} onLeave={onClose} />}
    </div>
  )
}

function Header({ unsaved, onClose }: { unsaved: boolean; onClose: () => void }) {
  const name = useDraft(draft => draft.skill?.name)
  const tokens = useDraft(draft => draft.tokens)
  const saving = useDraft(draft => draft.saving)
  const save = useDraft(draft => draft.save)
  return (
    <header className="sticky top-0 z-10 flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-canvas px-4 py-2">
      <div className="min-w-0 flex-1 basis-40">
        <h2 className="truncate text-sm font-semibold">
          {name === undefined ? editText.newTitle : editText.title(name)}
        </h2>
        <p className="flex flex-wrap gap-x-2 text-xs text-ink-3">
          {tokens !== null && <span title={editText.tokensHint}>{editText.tokens(tokens)}</span>}
          <output className={unsaved ? 'font-medium text-warn' : ''}>
            {saving
              ? editText.saving
              : unsaved
                ? editText.unsaved
                : name === undefined
                  ? ''
                  : editText.allSaved}
          </output>
        </p>
      </div>
      <div className="flex gap-2">
        <button type="button" className="btn btn-secondary" onClick={onClose}>
          {editText.close}
        </button>
        <button type="button" className="btn btn-primary" disabled={saving} onClick={() => void save()}>
          {editText.save}
          <Kbd keys="mod+s" />
        </button>
      </div>
    </header>
  )
}

const none: readonly Mark[] = []

function File() {
  const path = useDraft(draft => draft.path)
  const value = useDraft(draft => draft.buffers[draft.path]?.text)
  const revision = useDraft(draft => draft.revision)
  const issues = useDraft(draft => draft.issues)
  const refused = useDraft(draft => draft.refused)
  const goal = useDraft(draft => draft.goal)
  const unreadable = useDraft(draft => draft.unreadable)
  const write = useDraft(draft => draft.write)
  const marks = useMemo(() => {
    const form =
      path === SKILL_FILE
        ? issues.flatMap(({ line, level, text }) => (line === null ? [] : { line, level, text }))
        : none
    const found = (refused?.scan?.findings ?? []).filter(finding => finding.path === path)
    return [
      ...form,
      ...found.map(({ line, block, reason }): Mark => ({
        line,
        level: block ? 'error' : 'warning',
        text: reason,
      })),
    ]
  }, [path, issues, refused])

  if (unreadable?.path === path) {
    return (
      <p className="rounded-lg border border-line bg-side p-3 text-sm text-ink-2">
        {unreadable.why === null ? editText.notText : editText.fileFailed(unreadable.why)}
      </p>
    )
  }
  if (value === undefined) {
    return (
      <output className="flex items-center gap-2 p-3 text-sm text-ink-2">
        <Spinner />
        {editText.loading}
      </output>
    )
  }
  return (
    <>
      {path.startsWith('scripts/') && <p className="mb-2 text-sm text-warn">{editText.isScript}</p>}
      <CodeField
        value={value}
        revision={revision}
        label={editText.text(path)}
        hint={editText.keys(keyText('mod+s'))}
        markdown={/\.(?:md|markdown)$/iu.test(path)}
        marks={marks}
        goal={goal?.path === path ? goal : null}
        invalid={refused?.path === path}
        onChange={write}
      />
    </>
  )
}
