import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { SkillDetail } from '../../../shared/contract/skills.ts'
import { go, useRoute } from '../../route.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useAsked } from '../../rpc/use-asked.ts'
import { SkillEditor } from './edit/SkillEditor.tsx'
import { FilesTab } from './FilesTab.tsx'
import { HistoryTab } from './HistoryTab.tsx'
import { PreviewTab } from './PreviewTab.tsx'
import { SkillHeader } from './SkillHeader.tsx'
import { useSkill, useSkills, useSkillsStore, useTry } from './skills-context.ts'
import { copyOver, presentId } from './skills-state.ts'
import { StateNotes } from './StateNotes.tsx'
import { skillsText } from './strings.ts'
import { TrialTab } from './trial/TrialTab.tsx'
import { UsageTab } from './UsageTab.tsx'
import { useActions } from './use-actions.ts'

const text = skillsText.detail

const tabs = ['preview', 'edit', 'files', 'history', 'usage', 'test'] as const
type Tab = (typeof tabs)[number]
const tabNamed = (name: string | null): Tab => tabs.find(each => each === name) ?? 'preview'

type Props = {
  id: string
  /** Given where the skill stands in place of the list, and not beside it. */
  onBack: (() => void) | undefined
  /** Stands before the way back. */
  start: ReactNode
}

/** One skill from all its sides. */
export function SkillView({ id, onBack, start }: Props): ReactNode {
  const get = useSkills(skills => skills.get)
  const loads = useSkills(skills => skills.loads)
  const answer = useAsked(signal => get(id, signal), `${id} ${loads}`)
  // What was read last stays while the host cannot be asked.
  const [known, setKnown] = useState<SkillDetail>()
  if (answer?.ok && answer.value !== known) setKnown(answer.value)
  const isGone = answer?.ok === false && answer.fault.code === 'not_found'
  useMoved(id, isGone)

  const detail = known && !isGone ? known : undefined
  return (
    <section
      aria-label={detail ? text.label(detail.skill.name) : skillsText.title}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      {onBack && <BackBar start={start} onBack={onBack} />}
      {answer?.ok === false && !isGone && (
        <div role="alert">
          <Banner level="error">{text.failed(answer.fault.message)}</Banner>
        </div>
      )}
      {isGone && <Gone id={id} />}
      {!answer && <output className="late p-5 text-sm text-ink-3">{skillsText.loading}</output>}
      {detail && <Detail detail={detail} takesFocus={onBack !== undefined} />}
    </section>
  )
}

/** The way back to the list, where the two do not fit side by side. */
export function BackBar({ start, onBack }: { start: ReactNode; onBack: () => void }): ReactNode {
  return (
    <div className="chat-header">
      {start}
      <h1 className="sr-only">{skillsText.title}</h1>
      <button type="button" className="btn btn-quiet" onClick={onBack}>
        <ArrowLeft size={16} className="rtl:-scale-x-100" />
        {skillsText.back}
      </button>
    </div>
  )
}

/** A skill that got another place, such as an edited copy or its original, is shown there. */
function useMoved(id: string, isGone: boolean) {
  const present = useSkills(skills => presentId(skills, id))
  const copy = useSkills(skills => copyOver(skills, id))
  const tab = useRoute(route => route.tab)
  // What is being written is led there when it is saved.
  const place = isGone ? present : tab === 'edit' ? undefined : copy
  useEffect(() => {
    if (place !== undefined && place !== id) go({ page: 'skills', skillId: place, tab }, 'replace')
  }, [place, id, tab])
}

function Gone({ id }: { id: string }) {
  const key = useSkills(skills => skills.keys.get(id))
  const deleted = useSkills(skills => skills.library?.deleted.find(revision => revision.key === key))
  const { bringBack } = useActions()
  if (!deleted) return <p className="p-5 text-sm text-ink-3">{text.gone}</p>
  return (
    <div className="grid justify-items-start gap-3 p-5">
      <p className="text-sm text-ink-2">{text.deleted(deleted.name)}</p>
      <button type="button" className="btn btn-secondary" onClick={() => void bringBack(deleted)}>
        {skillsText.deleted.restore}
      </button>
    </div>
  )
}

type DetailProps = { detail: SkillDetail; takesFocus: boolean }

function Detail({ detail, takesFocus }: DetailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const scan = useRef<HTMLHeadingElement>(null)
  const { id } = detail.skill
  const onTry = useTry()
  const tab = tabNamed(useRoute(route => route.tab))
  // The list is told of a change first; what it says of the skill is newer.
  const skill = useSkill(id) ?? detail.skill
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
    // Once, when the skill takes the place of the list.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const show = (tab: Tab) =>
    go({ page: 'skills', skillId: id, ...(tab === 'preview' ? {} : { tab }) }, 'replace')
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
        label={text.tabs}
        tabs={tabs.map(value => ({
          value,
          label: text.tab[value],
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

/** What was written is shown under the id that it has now; the list has to know that first. */
export function useSaved(): (id: string) => void {
  const store = useSkillsStore()
  return id => {
    void store
      .getState()
      .load()
      .then(() => go({ page: 'skills', skillId: id, tab: 'edit' }, 'replace'))
  }
}
