import { Ellipsis, ListChecks, Trash2 } from 'lucide-react'
import { useState, type FormEvent, type ReactNode } from 'react'
import type { Skill, SkillBundle } from '../../../shared/contract/learned/skills.ts'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { countOf } from '../../ui/text/format-values.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { isOn } from './skills-state.ts'
import { useLibrary, useSkills, useSkillActions } from './use-skills.ts'

/** The bundles: sets of skills with one switch each. */
export function Bundles(): ReactNode {
  const bundles = useLibrary()?.bundles
  if (!bundles || bundles.length === 0) return null
  return (
    <section aria-label="Bundles" className="border-t border-line px-4 py-2">
      <h2 className="text-xs font-semibold text-ink-3">Bundles</h2>
      <ul aria-label="Bundles" className="max-h-40 overflow-y-auto">
        {bundles.map(bundle => (
          <BundleRow key={bundle.name} bundle={bundle} />
        ))}
      </ul>
    </section>
  )
}

function BundleRow({ bundle }: { bundle: SkillBundle }) {
  const { name, keys } = bundle
  const all = useLibrary()?.skills
  const select = useSkills(skills => skills.select)
  const { switchBundle, removeBundle } = useSkillActions()
  const members = membersOf(bundle, all ?? [])
  const on = members.filter(isOn).length
  const isAllOn = members.length > 0 && on === members.length
  const label = `More for the bundle ${name}`
  return (
    <li className="flex items-center gap-2 py-1">
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">{name}</span>
        <span className="block truncate text-2xs text-ink-3">
          {on === 0 || isAllOn ? countOf(members.length, 'skill', 'skills') : `${on} of ${members.length} on`}
          {members.length < keys.length && ` · ${keys.length - members.length} deleted`}
        </span>
      </span>
      <Menu
        label={label}
        align="end"
        entries={[
          {
            id: 'select',
            label: 'Select its skills',
            icon: <ListChecks size={16} />,
            onSelect: () =>
              select(
                members.map(({ id }) => id),
                true,
              ),
          },
          {
            id: 'remove',
            label: 'Remove the bundle',
            icon: <Trash2 size={16} />,
            hint: 'Its skills stay unchanged.',
            onSelect: () => void removeBundle(name),
          },
        ]}
        renderButton={props => (
          <IconButton small label={label} {...props}>
            <Ellipsis size={16} />
          </IconButton>
        )}
      />
      <button
        type="button"
        role="switch"
        aria-checked={isAllOn}
        aria-label={`The bundle ${name}: on`}
        className="switch"
        onClick={() => void switchBundle(name, !isAllOn)}
      />
    </li>
  )
}

/** The available skills of a bundle, as chats use them. */
const membersOf = ({ keys }: SkillBundle, skills: readonly Skill[]): Skill[] =>
  skills.filter(({ key, shadowedBy }) => shadowedBy === null && keys.includes(key))

type DialogProps = { skills: readonly Skill[]; onClose: () => void }

/** Asks for the name of a bundle of these skills. */
export function BundleDialog({ skills, onClose }: DialogProps): ReactNode {
  const taken = useLibrary()?.bundles
  const { putBundle } = useSkillActions()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const wanted = name.trim()
  const isTaken = taken?.some(each => each.name === wanted)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (wanted === '') return
    const answer = await putBundle(wanted, [...new Set(skills.map(({ key }) => key))])
    if (answer.ok) onClose()
    else setProblem(answer.fault.message)
  }
  return (
    <Dialog
      title={`A bundle of ${countOf(skills.length, 'skill', 'skills')}`}
      closeLabel="Close"
      onClose={onClose}
    >
      <form className="grid gap-3" onSubmit={event => void submit(event)}>
        <TextField
          label="Name"
          maxLength={60}
          value={name}
          hint={
            isTaken
              ? 'A bundle with this name exists. It will contain these skills instead.'
              : 'The bundle gets one switch for all its skills, above the list.'
          }
          error={problem}
          onChange={event => setName(event.target.value)}
        />
        <DialogButtons
          label={isTaken ? 'Replace it' : 'Create the bundle'}
          disabled={wanted === ''}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
