import { ChevronDown } from 'lucide-react'
import { useState, type ReactNode, useId, useRef } from 'react'
import type { Setting } from '../../../shared/contract/settings.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { countOf } from '../../ui/text/format-values.ts'
import { Highlight } from '../../ui/text/InlineText.tsx'
import { cx } from '../../ui/style.ts'
import { groupsOf, isResettable, valueWords } from './setting-texts.ts'
import { isForExperts, type Section } from '../../../shared/words/setting-words.ts'
import { useSettingList, useSettings, useSettingActions } from './use-settings.ts'
import { takesLabel } from './TypedFields.tsx'
import { SettingField } from './SettingField.tsx'
import { placeElements } from '../../ui/text/place-elements.tsx'

const GROUP_TITLES: Readonly<Record<string, string>> = {
  agent: 'Answers',
  compaction: 'Long chats',
  engine: 'Engine on this computer',
  memory: 'Memory',
  models: 'Which model answers',
  skills: 'Skills',
  learning: 'Learning from chats',
}

/** The settings of a section. Expert settings are collapsed unless changed or expert mode is on. */
export function SettingGroups({ section }: { section: Section }): ReactNode {
  const { settings } = useSettingList()
  const target = useSettings(each => each.target)
  const expert = useHost(host => host.settings.expert)
  const [isAll, setAll] = useState(false)
  /** Path of the row with the focus. It stays open, even if another window resets it during an edit. */
  const [focused, setFocused] = useState<string | null>(null)
  if (!settings) return null
  const isFolded = (setting: Setting) => !expert && !setting.changed && isForExperts(setting)
  const groups = groupsOf(settings, section)
  const folded = groups.flatMap(([, group]) => group).filter(isFolded).length
  return (
    <>
      {groups.map(([name, group]) => {
        const seen = group.filter(
          setting => isAll || [focused, target].includes(setting.path) || !isFolded(setting),
        )
        const title = groups.length > 1 ? GROUP_TITLES[name] : undefined
        return seen.length === 0 ? null : (
          <section key={name}>
            {title !== undefined && <h3 className="setting-heading">{title}</h3>}
            <div
              className="setting-list"
              onFocus={event => setFocused(pathAt(event.target))}
              onBlur={event => setFocused(pathAt(event.relatedTarget))}
            >
              {seen.map(setting => (
                <SettingRow key={setting.path} setting={setting} />
              ))}
            </div>
          </section>
        )
      })}
      {folded > 0 && (
        <button
          type="button"
          aria-expanded={isAll}
          className="btn btn-quiet justify-self-start"
          onClick={() => setAll(!isAll)}
        >
          <ChevronDown size={16} className={isAll ? 'rotate-180' : undefined} />
          {isAll
            ? 'Show fewer settings'
            : `Show ${countOf(folded, 'more setting', 'more settings')} for experts`}
        </button>
      )}
    </>
  )
}

/** The path of the setting whose row contains an element. */
const pathAt = (element: Element | null): string | null =>
  element?.closest('[data-setting]')?.getAttribute('data-setting') ?? null

type RowProps = {
  setting: Setting
  /** Matches of the query are highlighted. */
  query?: string
  /** Shows the setting in its section. */
  onShow?: () => void
}

/** One setting with its name, help, field and default state. */
export function SettingRow({ setting, query = '', onShow }: RowProps): ReactNode {
  const id = useId()
  const control = useRef<HTMLDivElement>(null)
  const expert = useHost(host => host.settings.expert)
  const { change, reset } = useSettingActions()
  const { path, title, help, restart, kind, value, usedBy } = setting
  const Name = takesLabel(setting) ? 'label' : 'p'
  return (
    <div data-setting={path} className={cx('setting', kind.type === 'list' && 'setting-tall')}>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Name className="text-sm font-medium" {...(takesLabel(setting) ? { htmlFor: id } : {})}>
            <Highlight text={title} query={query} />
          </Name>
          {restart && (
            <span className="badge" title="Takes effect after Talaria restarts.">
              After a restart
            </span>
          )}
          {isResettable(setting) && (
            <Changed
              setting={setting}
              onReset={() => {
                // The reset button disappears after a reset, so focus moves to the field.
                control.current?.querySelector<HTMLElement>('button, input, select')?.focus()
                void reset([setting])
              }}
            />
          )}
        </div>
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          <Highlight text={help} query={query} />
        </p>
        {query !== '' && (
          <p className="text-xs text-ink-3">
            {placeElements('Used by: {names}', {
              names: <Highlight text={usedBy.join(', ')} query={query} />,
            })}
          </p>
        )}
        {(expert || query !== '') && (
          <p dir="ltr" className="mt-0.5 font-mono text-2xs text-ink-3 rtl:text-end">
            <Highlight text={path} query={query} />
          </p>
        )}
        {onShow && (
          <button
            type="button"
            aria-label={`Show it in its section: ${title}`}
            className="link-btn text-xs"
            onClick={onShow}
          >
            Show it in its section
          </button>
        )}
        {path === 'approvals.default' && value === 'full' && (
          <p className="mt-1 text-xs text-danger">
            New chats will not ask you anything. Only calls that could wreck the system are blocked, and a
            skill that looks dangerous waits on the Activity page.
          </p>
        )}
      </div>
      <div ref={control} className="setting-control">
        <SettingField
          setting={setting}
          id={id}
          hintId={`${id}-hint`}
          onChange={value => void change(path, value)}
        />
      </div>
    </div>
  )
}

/** Marks a changed setting and offers a reset to the default. */
function Changed({ setting, onReset }: { setting: Setting; onReset: () => void }) {
  const models = useHost(host => host.models)
  const standard = valueWords(setting, setting.standard, models)
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="badge setting-changed" title={`Default: ${standard}`}>
        Changed
      </span>
      <button
        type="button"
        className="link-btn text-xs"
        aria-label={`Reset “${setting.title}” to ${standard}`}
        title={`Reset “${setting.title}” to ${standard}`}
        onClick={onReset}
      >
        Reset
      </button>
    </span>
  )
}
