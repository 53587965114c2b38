import {
  ChartColumn,
  CircleArrowUp,
  Cpu,
  Database,
  GraduationCap,
  Info,
  Keyboard,
  Lock,
  MessageSquare,
  Monitor,
  Plug,
  Shield,
  SlidersHorizontal,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../ui/style.ts'
import { Select } from '../../ui/fields/Choice.tsx'
import { isResettable } from './setting-texts.ts'
import { sectionOf, sectionTitles, type Section } from '../../../shared/words/setting-words.ts'
import { useSections, useSettingList } from './use-settings.ts'
import { formatCount } from '../../ui/text/format-values.ts'

const icons: Record<Section, LucideIcon> = {
  general: SlidersHorizontal,
  chat: MessageSquare,
  models: Cpu,
  learning: GraduationCap,
  permissions: Shield,
  tools: Wrench,
  api: Plug,
  privacy: Lock,
  usage: ChartColumn,
  data: Database,
  desktop: Monitor,
  shortcuts: Keyboard,
  updates: CircleArrowUp,
  about: Info,
}

type Props = {
  /** Null while a search is active. */
  section: Section | null
  onSection: (section: Section) => void
}

/** The sections as a vertical list. */
export function SectionNav({ section, onSection }: Props): ReactNode {
  const { settings } = useSettingList()
  const sections = useSections()
  return (
    <nav aria-label="Sections" className="grid gap-0.5">
      {sections.map(each => {
        const Icon = icons[each]
        const changed = (settings ?? []).filter(
          setting => isResettable(setting) && sectionOf(setting) === each,
        ).length
        return (
          <button
            key={each}
            type="button"
            aria-current={each === section ? 'page' : undefined}
            className={cx('side-item', each === section && 'bg-hover font-medium text-ink')}
            onClick={() => onSection(each)}
          >
            <Icon size={16} className="shrink-0" />
            <span className="min-w-0 flex-1 truncate">{sectionTitles[each]}</span>
            {changed > 0 && <span className="text-2xs text-ink-3">{`${formatCount(changed)} changed`}</span>}
          </button>
        )
      })}
    </nav>
  )
}

/** The sections as a select, for narrow windows. */
export function SectionSelect({ section, onSection }: Props): ReactNode {
  const named = useSections().map(each => ({ value: each, label: sectionTitles[each] }))
  return (
    <Select<Section | ''>
      label="Section"
      value={section ?? ''}
      // No section is selected during a search.
      options={section === null ? [{ value: '', label: 'All sections' }, ...named] : named}
      onChange={each => each !== '' && onSection(each)}
    />
  )
}
