import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import type { SkillDetail } from '../../../../shared/contract/learned/skills.ts'
import { goTo, useRoute } from '../../../route.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { useAnswers } from '../../../rpc/host-context.tsx'
import { useAnswer, useLastValue } from '../../../rpc/use-answer.ts'
import { SkillEditor } from '../edit/SkillEditor.tsx'
import { FilesTab } from './FilesTab.tsx'
import { HistoryTab } from './HistoryTab.tsx'
import { PreviewTab } from './PreviewTab.tsx'
import { SkillHeader } from './SkillHeader.tsx'
import { useLibrary, useSkills, useTry, useSkillActions } from '../use-skills.ts'
import { copyOver, presentId } from '../skills-state.ts'
import { StateNotes } from './StateNotes.tsx'
import { TrialTab } from '../try/TrialTab.tsx'
import { UsageTab } from './UsageTab.tsx'

const TAB_NAMES = {
  preview: 'Preview',
  edit: 'Edit',
  files: 'Files',
  history: 'History',
  usage: 'Usage',
  test: 'Test',
} as const

const tabs = ['preview', 'edit', 'files', 'history', 'usage', 'test'] as const
type Tab = (typeof tabs)[number]
const tabNamed = (name: string | null): Tab => tabs.find(each => each === name) ?? 'preview'

type Props = {
  id: string
  /** Set if the skill replaces the list; undefined if they are side by side. */
  onBack: (() => void) | undefined
  /** Shown before the back button. */
  start: ReactNode
}

/** The detail view of a skill, with its tabs. */
export function SkillView({ id, onBack, start }: Props): ReactNode {
  const answer = useAnswer('skills.get', { id })
  // Keep the last known detail while the host is unreachable.
  const known = useLastValue(answer?.ok ? answer.value : undefined)
  const isGone = answer?.ok === false && answer.fault.code === 'not_found'
  useMoved(id, isGone)

  const shown = isGone ? null : known
  return (
    <section
      aria-label={shown ? `The skill ${shown.skill.name}` : 'Skills'}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      {onBack && <BackBar start={start} onBack={onBack} />}
      {answer?.ok === false && !isGone && (
        <div role="alert">
          <Banner level="error">{`The skill could not be read: ${answer.fault.message}`}</Banner>
        </div>
      )}
      {isGone && <Gone id={id} />}
      {!answer && <output className="late p-5 text-sm text-ink-3">Loading skills…</output>}
      {shown && <Detail detail={shown} takesFocus={onBack !== undefined} />}
    </section>
  )
}

/** The back button to the list, for narrow windows. */
export function BackBar({ start, onBack }: { start: ReactNode; onBack: () => void }): ReactNode {
  return (
    <div className="chat-header">
      {start}
      <h1 className="sr-only">Skills</h1>
      <button type="button" className="btn btn-quiet" onClick={onBack}>
        <ArrowLeft size={16} className="rtl:-scale-x-100" />
        All skills
      </button>
    </div>
  )
}

/** Follows a skill whose id changed, for example to its edited copy or its original. */
function useMoved(id: string, isGone: boolean) {
  const library = useLibrary()
  const present = useSkills(skills => presentId(library, skills, id))
  const copy = copyOver(library, id)
  const tab = useRoute(route => route.tab)
  // During an edit, the save navigates to the copy.
  const place = isGone ? present : tab === 'edit' ? undefined : copy
  useEffect(() => {
    if (place !== undefined && place !== id) goTo({ page: 'skills', skillId: place, tab }, 'replace')
  }, [place, id, tab])
}

function Gone({ id }: { id: string }) {
  const key = useSkills(skills => skills.keys.get(id))
  const deleted = useLibrary()?.deleted.find(revision => revision.key === key)
  const { bringBack } = useSkillActions()
  if (!deleted) return <p className="p-5 text-sm text-ink-3">This skill does not exist.</p>
  return (
    <div className="grid justify-items-start gap-3 p-5">
      <p className="text-sm text-ink-2">{`${deleted.name} was deleted.`}</p>
      <button type="button" className="btn btn-secondary" onClick={() => void bringBack(deleted)}>
        Restore
      </button>
    </div>
  )
}

function Detail({ detail, takesFocus }: { detail: SkillDetail; takesFocus: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const scan = useRef<HTMLHeadingElement>(null)
  const { skill } = detail
  const { id } = skill
  const onTry = useTry()
  const tab = tabNamed(useRoute(route => route.tab))
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
    // Once, when the skill replaces the list.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const show = (tab: Tab) =>
    goTo({ page: 'skills', skillId: id, ...(tab === 'preview' ? {} : { tab }) }, 'replace')
  const readFindings = () => {
    show('preview')
    requestAnimationFrame(() => {
      scan.current?.scrollIntoView({ block: 'start' })
      scan.current?.focus({ preventScroll: true })
    })
  }
  return (
    <>
      <SkillHeader skill={skill} detail={detail} heading={heading} />
      <StateNotes skill={skill} detail={detail} onFindings={readFindings} />
      <Tabs
        label="Parts of the skill"
        tabs={tabs.map(value => ({
          value,
          label: TAB_NAMES[value],
          ...(value === 'files' && skill.fileCount > 1 ? { count: String(skill.fileCount) } : {}),
        }))}
        value={tab}
        onChange={show}
      >
        {tab === 'preview' && <PreviewTab detail={detail} scan={scan} />}
        {tab === 'edit' && <EditTab id={id} onClose={() => show('preview')} />}
        {tab === 'files' && <FilesTab detail={detail} />}
        {tab === 'history' && <HistoryTab skill={skill} text={detail.text} />}
        {tab === 'usage' && <UsageTab skill={skill} />}
        {tab === 'test' && <TrialTab id={id} onTry={onTry} />}
      </Tabs>
    </>
  )
}

function EditTab({ id, onClose }: { id: string; onClose: () => void }) {
  const onSaved = useSaved()
  return <SkillEditor id={id} onClose={onClose} onSaved={onSaved} />
}

/** Shows a saved skill under its new id, after the list has loaded that id. */
export function useSaved(): (id: string) => void {
  const { renew } = useAnswers()
  return id =>
    void renew(['skills']).then(() => goTo({ page: 'skills', skillId: id, tab: 'edit' }, 'replace'))
}
