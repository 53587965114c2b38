import { useId, useRef, type ReactNode } from 'react'
import type { Setting } from '../../../shared/contract/settings.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { cx } from '../../ui/cx.ts'
import { Highlight } from '../../ui/Highlight.tsx'
import { takesLabel } from './fields/field-props.ts'
import { SettingField } from './fields/SettingField.tsx'
import { isResettable } from './sections.ts'
import { settingsText } from './strings.ts'
import { useActions } from './use-actions.ts'
import { valueWords } from './words.ts'

/** One setting: its name, what it does, its field, and whether it is as at first. `query` is marked in the words. */
export function SettingRow({ setting, query = '' }: { setting: Setting; query?: string }): ReactNode {
  const id = useId()
  const control = useRef<HTMLDivElement>(null)
  const expert = useHost(host => host.settings.expert)
  const { change, reset } = useActions()
  const { path, title, help, restart, kind, value } = setting
  const Name = takesLabel(setting) ? 'label' : 'p'
  return (
    <div data-setting={path} className={cx('setting', kind.type === 'list' && 'setting-tall')}>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Name className="text-sm font-medium" {...(takesLabel(setting) ? { htmlFor: id } : {})}>
            <Highlight text={title} query={query} />
          </Name>
          {restart && (
            <span className="badge" title={settingsText.restartHint}>
              {settingsText.restart}
            </span>
          )}
          {isResettable(setting) && (
            <Changed
              setting={setting}
              onReset={() => {
                // The button goes away with what it takes back.
                control.current?.querySelector<HTMLElement>('button, input, select')?.focus()
                void reset([setting])
              }}
            />
          )}
        </div>
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          <Highlight text={help} query={query} />
        </p>
        {expert && (
          <p dir="ltr" className="mt-0.5 font-mono text-2xs text-ink-3 rtl:text-end">
            {path}
          </p>
        )}
        {path === 'approvals.default' && value === 'full' && (
          <p className="mt-1 text-xs text-danger">{settingsText.field.full}</p>
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

/** Says that a setting is not as at first, and takes that back. */
function Changed({ setting, onReset }: { setting: Setting; onReset: () => void }) {
  const models = useHost(host => host.models)
  const standard = valueWords(setting, setting.standard, models)
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="badge setting-changed" title={settingsText.changedHint(standard)}>
        {settingsText.changed}
      </span>
      <button
        type="button"
        className="link-btn text-xs"
        aria-label={settingsText.resetOne(setting.title, standard)}
        title={settingsText.resetOne(setting.title, standard)}
        onClick={onReset}
      >
        {settingsText.reset}
      </button>
    </span>
  )
}
