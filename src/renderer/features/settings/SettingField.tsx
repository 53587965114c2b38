import type { ReactNode } from 'react'
import { visionChoices, visionMeans } from '../../../shared/words/vision-words.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { NumberInput } from '../../ui/fields/NumberField.tsx'
import { Segmented, Select } from '../../ui/fields/Choice.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { useSettingsPlace } from './use-settings.ts'
import { AUXILIARY_WORK, auxiliaryId, modelWords, optionWords, valueWords } from './setting-texts.ts'
import {
  AutoNumberField,
  TextSettingField,
  ListField,
  ModelListField,
  type FieldProps,
} from './TypedFields.tsx'

/** Picks the field by the kind of the setting. */
export function SettingField(props: FieldProps): ReactNode {
  const { setting, id, hintId, onChange } = props
  const { path, title, kind, value } = setting
  if (path === 'network.offline') return <LockField {...props} />
  if (path === 'ui.expert') return <ExpertField {...props} />
  if (path === 'models.fast')
    return <ModelSelect label={title} special={['']} id={String(value)} onChange={onChange} />
  if (path === 'models.auxiliary') return <AuxiliaryField {...props} />
  if (path === 'models.fallback') return <ModelListField {...props} />
  switch (kind.type) {
    case 'switch':
      return <OnOff {...props} on={value === true} />
    case 'number':
      return (
        <NumberInput
          name={{ id }}
          hintId={hintId}
          value={typeof value === 'number' ? value : null}
          range={[kind.min, kind.max]}
          whole={kind.whole}
          onChange={onChange}
        />
      )
    case 'auto_number':
      return <AutoNumberField {...props} range={[kind.min, kind.max]} />
    case 'choice': {
      const options = kind.options.map(option => ({ value: option, label: optionWords(path, option) }))
      const choice = { label: title, options, value: String(value), onChange }
      return options.length <= 3 && path.startsWith('ui.') ? (
        <Segmented {...choice} />
      ) : (
        <Select {...choice} />
      )
    }
    case 'text':
      return <TextSettingField {...props} most={kind.max} />
    case 'list':
      return <ListField {...props} />
    case 'other':
      return <Elsewhere {...props} />
  }
}

function OnOff({ id, hintId, on, onChange }: FieldProps & { on: boolean }) {
  return (
    // A label next to the button names it.
    // oxlint-disable-next-line jsx-a11y/control-has-associated-label
    <button
      id={id}
      type="button"
      role="switch"
      aria-checked={on}
      aria-describedby={hintId}
      className="switch"
      onClick={() => onChange(!on)}
    />
  )
}

/** The offline lock is shared window state, so this uses the same action as the message field. */
function LockField(props: FieldProps) {
  const locked = useHost(host => host.locked)
  const setLocked = useHost(host => host.setLocked)
  const change = async (value: unknown) => {
    const answer = await setLocked(value === true)
    if (!answer.ok) showToast(`The setting was not saved: ${answer.fault.message}`, { level: 'error' })
  }
  return <OnOff {...props} on={locked} onChange={value => void change(value)} />
}

function ExpertField({ setting, onChange }: FieldProps) {
  const option = (value: 'off' | 'on') => ({ value, label: optionWords(setting.path, value) })
  return (
    <Segmented
      label={setting.title}
      options={[option('off'), option('on')]}
      value={setting.value === true ? 'on' : 'off'}
      onChange={value => onChange(value === 'on')}
    />
  )
}

type ModelSelectProps = {
  label: string
  /** Values besides the models, such as “the model of the chat”. */
  special: readonly string[]
  id: string
  onChange: (id: string) => void
}

/** One of the available models, or a special value. */
function ModelSelect({ label, special, id, onChange }: ModelSelectProps) {
  const models = useHost(host => host.models)
  const ids = [...new Set([...special, ...models.map(model => model.id), id])]
  return (
    <Select
      label={label}
      value={id}
      options={ids.map(each => ({ value: each, label: modelWords(each, models) }))}
      onChange={onChange}
    />
  )
}

/** A model for each kind of work besides chats. */
function AuxiliaryField({ setting, onChange }: FieldProps) {
  const { value } = setting
  const change = (work: string) => (id: string) => onChange({ ...(value as object), [work]: id })
  return (
    <div className="grid gap-2">
      {AUXILIARY_WORK.map(([work, label]) => (
        <div key={work} className="grid gap-1">
          <span className="text-xs text-ink-2">{label}</span>
          {work === 'vision' ? (
            <VisionSelect label={label} id={auxiliaryId(value, work)} onChange={change(work)} />
          ) : work === 'transcription' ? (
            <SpeechSelect label={label} id={auxiliaryId(value, work)} onChange={change(work)} />
          ) : (
            <ModelSelect
              label={label}
              special={['chat', 'auto']}
              id={auxiliaryId(value, work)}
              onChange={change(work)}
            />
          )}
        </div>
      ))}
    </div>
  )
}

/** The model that describes pictures, with a note about the consequences. */
function VisionSelect({ label, id, onChange }: Omit<ModelSelectProps, 'special'>) {
  const models = useHost(host => host.models)
  const locked = useHost(host => host.locked)
  return (
    <>
      <Select
        label={label}
        value={id}
        options={visionChoices(models, id, each => modelWords(each, models))}
        onChange={onChange}
      />
      <output className="block text-xs text-ink-2">{visionMeans(id, models, locked)}</output>
    </>
  )
}

/** The server that transcribes voice notes. Only servers with OpenAI's protocol can. */
function SpeechSelect({ label, id, onChange }: Omit<ModelSelectProps, 'special'>) {
  const models = useHost(host => host.models)
  const servers = models.filter(({ server }) => server?.protocol === 'openai').map(each => each.id)
  const ids = [...new Set(['chat', ...servers, id])]
  const words = (each: string) =>
    each === 'chat' ? 'Nothing: they stay voice notes' : modelWords(each, models)
  return (
    <Select
      label={label}
      value={id}
      options={ids.map(each => ({ value: each, label: words(each) }))}
      onChange={onChange}
    />
  )
}

/** A read-only value that is edited on another page. */
function Elsewhere({ setting }: FieldProps) {
  const models = useHost(host => host.models)
  const { onModels } = useSettingsPlace()
  return (
    <div className="grid justify-items-start gap-1 text-sm">
      <span dir="auto" className="max-w-full break-words">
        {valueWords(setting, setting.value, models)}
      </span>
      {setting.section === 'models' && (
        <button type="button" className="link-btn text-xs" onClick={onModels}>
          Set on the Models page
        </button>
      )}
    </div>
  )
}
