import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useLink } from '../../../rpc/host-context.tsx'
import { Kbd } from '../../../ui/text/InlineText.tsx'
import { keyText, useKeys } from '../../../ui/keyboard/keys.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import type { Mark } from './code-editor.ts'
import { CodeField } from './CodeField.tsx'
import { EditorNotes, EditorRefusal } from './EditorNotes.tsx'
import { Conflict, LeaveDialog } from './UnsavedChanges.tsx'
import { DraftContext, useDraft } from './draft-context.ts'
import { createDraft } from './draft-store.ts'
import { SKILL_FILE, unsavedIn } from './buffers.ts'
import { FieldsForm } from './FieldsForm.tsx'
import { FileBar } from './FileBar.tsx'
import { Issues } from './Issues.tsx'
import { countOf } from '../../../ui/text/format-values.ts'
import { Problem } from '../../../ui/Banner.tsx'

type Props = {
  /** The skill to edit; null creates a new one. */
  id: string | null
  onClose: () => void
  /** Initial text of a new skill, instead of the template. */
  initialText?: string
  /** The id can differ from `id`: it is that of the new skill, or of the edited copy of an original. */
  onSaved?: (id: string) => void
  /** Reports whether there are unsaved changes, so that the parent can guard navigation. */
  onUnsaved?: (unsaved: boolean) => void
}

/** Edits the files of a skill as text, with a form for the front matter and checks during typing. */
export function SkillEditor({ id, onClose, initialText, onSaved, onUnsaved }: Props): ReactNode {
  const link = useLink()
  const begin = () => createDraft(link, { id, initialText })
  const [shown, setShown] = useState(() => ({ id, draft: begin() }))
  const { draft } = shown
  // After a save under another id, keep the same draft.
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
        Opening…
      </output>
    )
  }
  if (phase === 'failed') {
    return (
      <div className="grid justify-items-start gap-3 p-4">
        <Problem text={`It could not be opened. ${problem}`} />
        <div className="flex gap-2">
          <button type="button" className="btn btn-secondary" onClick={() => void load()}>
            Try again
          </button>
          <button type="button" className="btn btn-quiet" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    )
  }
  return (
    <div className="@container">
      <Header unsaved={unsaved} onClose={() => (unsaved ? setLeaving(true) : onClose())} />
      <div className="p-4">
        <EditorNotes />
        <Conflict />
        <EditorRefusal />
        <div className={path === SKILL_FILE ? 'grid gap-5 @3xl:grid-cols-[minmax(0,1fr)_19rem]' : ''}>
          <div className="min-w-0">
            <FileBar />
            <File key={path} />
          </div>
          {path === SKILL_FILE && (
            // Issues come before the form, so that they stay visible in a narrow layout.
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
          {name === undefined ? 'New skill' : `Edit “${name}”`}
        </h2>
        <p className="flex flex-wrap gap-x-2 text-xs text-ink-3">
          {tokens !== null && (
            <span title="What a model reads when it loads this skill">
              {countOf(tokens, 'token', 'tokens')}
            </span>
          )}
          <output className={unsaved ? 'font-medium text-warn' : ''}>
            {saving ? 'Saving…' : unsaved ? 'not saved' : name === undefined ? '' : 'saved'}
          </output>
        </p>
      </div>
      <div className="flex gap-2">
        <button type="button" className="btn btn-secondary" onClick={onClose}>
          Close
        </button>
        <button type="button" className="btn btn-primary" disabled={saving} onClick={() => void save()}>
          Save
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
        {unreadable.why === null
          ? 'This file is not text, or is too long to edit here.'
          : `The file could not be read. ${unreadable.why}`}
      </p>
    )
  }
  if (value === undefined) {
    return (
      <output className="flex items-center gap-2 p-3 text-sm text-ink-2">
        <Spinner />
        Opening…
      </output>
    )
  }
  return (
    <>
      {path.startsWith('scripts/') && (
        <p className="mb-2 text-sm text-warn">
          This is a script. A chat can run it in the terminal, with the usual approvals for commands.
        </p>
      )}
      <CodeField
        value={value}
        revision={revision}
        label={`Text of ${path}`}
        hint={`${keyText('mod+s')} saves. Tab leaves the text.`}
        markdown={/\.(?:md|markdown)$/iu.test(path)}
        marks={marks}
        goal={goal?.path === path ? goal : null}
        invalid={refused?.path === path}
        onChange={write}
      />
    </>
  )
}
