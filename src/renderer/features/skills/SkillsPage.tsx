import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { StoreApi } from 'zustand'
import type { Skill } from '../../../shared/contract/learned/skills.ts'
import { goTo, readRoute, useRoute } from '../../route.ts'
import { useAnswers } from '../../rpc/host-context.tsx'
import { useAnswer, useLastValue } from '../../rpc/use-answer.ts'
import { Banner } from '../../ui/Banner.tsx'
import { keyText } from '../../ui/keyboard/keys.ts'
import { useMedia } from '../../ui/style.ts'
import { SkillEditor } from './edit/SkillEditor.tsx'
import { SkillsHeader } from './SkillsHeader.tsx'
import { DropSkills } from './import/DropSkills.tsx'
import { ImportSkills, type Initial } from './import/ImportSkills.tsx'
import { ListPane } from './list/ListPane.tsx'
import { focusSearch } from './list/skill-row-focus.ts'
import { SkillsContext, useLibrary, useSkill, useSkills } from './use-skills.ts'
import type { SkillsStore } from './skills-store.ts'
import type { SkillListHandle } from './list/SkillList.tsx'
import { BackBar, SkillView, useSaved } from './detail/SkillView.tsx'

type Props = {
  store: StoreApi<SkillsStore>
  /** Shown at the start of the header. */
  start?: ReactNode
  /** Start a new chat with a skill. */
  onTry?: (skill: Skill) => void
}

/** The skill library: browse, switch on and off, edit and undo. */
export function SkillsPage({ store, start, onTry }: Props): ReactNode {
  const answer = useAnswer('skills.list', {})
  const library = useLastValue(answer?.ok ? answer.value : undefined)
  const context = useMemo(() => ({ store, library, onTry }), [store, library, onTry])
  useEffect(() => {
    if (library) store.getState().know(library)
  }, [store, library])
  return (
    <SkillsContext value={context}>
      <Page start={start} problem={answer?.ok === false ? answer.fault.message : null} />
    </SkillsContext>
  )
}

/** The import dialog: closed (null), open, or open with dropped files. */
type Importing = { initial?: Initial } | null

function Page({ start, problem }: Pick<Props, 'start'> & { problem: string | null }) {
  const library = useLibrary()
  useSearchKey()
  const skillId = useRoute(route => route.skillId)
  const isNew = useRoute(route => route.tab) === 'new' && skillId === null
  // The key stays the same when an edited copy replaces its original, so that the draft is kept.
  const known = useSkills(skills => skills.keys.get(skillId ?? ''))
  const key = useSkill(skillId)?.key ?? known ?? skillId
  const roomy = useMedia('(min-width: 64rem)')
  const [importing, setImporting] = useState<Importing>(null)
  const list = useRef<SkillListHandle>(null)
  const isOpen = skillId !== null || isNew
  const back = () => {
    goTo({ page: 'skills' }, 'replace')
    requestAnimationFrame(() => list.current?.focus(skillId ?? undefined))
  }
  const onBack = roomy ? undefined : back

  return (
    <section aria-label="Skills" className="skills-page flex min-h-0 flex-1 flex-col">
      <DropSkills className="flex min-h-0 flex-1 flex-col" onDrop={initial => setImporting({ initial })}>
        {(roomy || !isOpen) && <SkillsHeader start={start} onImport={() => setImporting({})} />}
        <Trouble problem={problem} />
        <div className="flex min-h-0 flex-1 border-t border-line">
          {(roomy || !isOpen) && (
            <div className={roomy ? 'skill-pane' : 'skill-pane skill-pane-alone'}>
              <ListPane list={list} />
            </div>
          )}
          {isNew && <NewSkill start={start} onBack={onBack} />}
          {skillId !== null && library && <SkillView key={key} id={skillId} start={start} onBack={onBack} />}
          {!isOpen && roomy && <NothingChosen />}
        </div>
      </DropSkills>
      {importing && <ImportSkills open initial={importing.initial} onClose={() => setImporting(null)} />}
    </section>
  )
}

/** A slash focuses the search, except in text fields. */
function useSearchKey() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event
      const isText =
        target instanceof Element &&
        target.closest(
          'input:not([type]), input[type="text"], textarea, select, [contenteditable]:not([contenteditable="false"]), dialog',
        )
      if (key !== '/' || ctrlKey || metaKey || altKey || isText || event.defaultPrevented) return
      if (focusSearch()) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

function Trouble({ problem }: { problem: string | null }) {
  const { renew } = useAnswers()
  const again = (
    <button type="button" className="btn btn-secondary" onClick={() => void renew(['skills'])}>
      Try again
    </button>
  )
  return (
    <div role="alert">
      {problem !== null && (
        <Banner level="error" actions={again}>{`The skills could not be read: ${problem}`}</Banner>
      )}
    </div>
  )
}

function NewSkill({ start, onBack }: { start: ReactNode; onBack: (() => void) | undefined }) {
  const onSaved = useSaved()
  const close = () => {
    // After a save, the route already shows the saved skill.
    if (readRoute(location.hash).tab === 'new') goTo({ page: 'skills' }, 'replace')
  }
  return (
    <section aria-label="New skill" className="flex min-h-0 min-w-0 flex-1 flex-col">
      {onBack && <BackBar start={start} onBack={onBack} />}
      <div className="min-h-0 flex-1 overflow-y-auto">
        <SkillEditor id={null} onClose={close} onSaved={onSaved} />
      </div>
    </section>
  )
}

function NothingChosen() {
  return (
    <div className="grid min-w-0 flex-1 place-content-center p-8 text-center">
      <p className="text-sm font-semibold">Choose a skill</p>
      <p className="mt-1 max-w-80 text-sm text-ink-3">
        A skill is a page of instructions that the agent reads when a task calls for it.
      </p>
      <p className="mt-3 max-w-80 text-xs text-ink-3">{`↑ ↓ move in the list, ${keyText('enter')} opens a skill, / searches.`}</p>
    </div>
  )
}
