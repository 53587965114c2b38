import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { SkillDetail } from '../../../shared/contract/skills.ts'
import { goTo, useRoute } from '../../route.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useAsked } from '../../rpc/use-asked.ts'
import { SkillEditor } from './edit/SkillEditor.tsx'
import { FilesTab } from './FilesTab.tsx'
import { HistoryTab } from './HistoryTab.tsx'
import { PreviewTab } from './PreviewTab.tsx'
import { SkillHeader } from './SkillHeader.tsx'
import { useSkill, useSkills, useSkillsStore, useTry, useSkillActions } from './use-skills.ts'
import { copyOver, presentId } from './skills-state.ts'
import { StateNotes } from './StateNotes.tsx'
import { TrialTab } from './try/TrialTab.tsx'
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
  /** Set when the skill replaces the list; undefined when they are side by side. */
  onBack: (() => void) | undefined
  /** Shown before the back button. */
  start: ReactNode
}

/** The detail view of a skill, with its tabs. */
export function SkillView({ id, onBack, start }: Props): ReactNode {
  const get = useSkills(skills => skills.get)
  const loads = useSkills(skills => skills.loads)
  const answer = useAsked(async signal => {
    const got = await get(id, signal)
    return got.ok ? { ok: true, value: { detail: got.value, loads } } : got
  }, `${id} ${loads}`)
  // Keep the last known detail while the host is unreachable.
  const [known, setKnown] = useState<Known>()
  if (answer?.ok && answer.value !== known) setKnown(answer.value)
  const isGone = answer?.ok === false && answer.fault.code === 'not_found'
  useMoved(id, isGone)

  const shown = known && !isGone ? known : undefined
  return (
    <section
      aria-label={shown ? `The skill ${shown.detail.skill.name}` : 'Skills'}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      {onBack && <BackBar start={start} onBack={onBack} />}
      {answer?.ok === false && !isGone && (
        <div role="alert">
          <Banner level="error">The skill could not be read: {answer.fault.message}</Banner>
        </div>
      )}
      {isGone && <Gone id={id} />}
      {!answer && <output className="late p-5 text-sm text-ink-3">Reading the skills…</output>}
      {shown && <Detail {...shown} takesFocus={onBack !== undefined} />}
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
  const present = useSkills(skills => presentId(skills, id))
  const copy = useSkills(skills => copyOver(skills, id))
  const tab = useRoute(route => route.tab)
  // During an edit, the save navigates to the copy.
  const place = isGone ? present : tab === 'edit' ? undefined : copy
  useEffect(() => {
    if (place !== undefined && place !== id) goTo({ page: 'skills', skillId: place, tab }, 'replace')
  }, [place, id, tab])
}

function Gone({ id }: { id: string }) {
  const key = useSkills(skills => skills.keys.get(id))
  const deleted = useSkills(skills => skills.library?.deleted.find(revision => revision.key === key))
  const { bringBack } = useSkillActions()
  if (!deleted) return <p className="p-5 text-sm text-ink-3">There is no such skill.</p>
  return (
    <div className="grid justify-items-start gap-3 p-5">
      <p className="text-sm text-ink-2">{deleted.name} was deleted.</p>
      <button type="button" className="btn btn-secondary" onClick={() => void bringBack(deleted)}>
        Restore
      </button>
    </div>
  )
}

/** A skill, and how often the list had been loaded when the skill was requested. */
type Known = { detail: SkillDetail; loads: number }

function Detail({ detail, loads, takesFocus }: Known & { takesFocus: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const scan = useRef<HTMLHeadingElement>(null)
  const { id } = detail.skill
  const onTry = useTry()
  const tab = tabNamed(useRoute(route => route.tab))
  // Use the list's entry only if the list was loaded later. Reading a skill scans it, and an older entry lacks the result,
  // which would push the page down later.
  const listed = useSkill(id)
  const isOlder = useSkills(skills => skills.loads > loads)
  const skill = (isOlder && listed) || detail.skill
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
  const store = useSkillsStore()
  return id => {
    void store
      .getState()
      .listed(id)
      .then(() => goTo({ page: 'skills', skillId: id, tab: 'edit' }, 'replace'))
  }
}
