import { FileX2, Link2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { SkillLink } from '../../../../shared/contract/learned/skills.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formatCount } from '../../../ui/text/format-values.ts'
import { useSkillActions } from '../use-skills.ts'
import { byCount } from '../../../../shared/text/amounts.ts'
import { placeElements } from '../../../ui/text/place-elements.tsx'

type UnreadableProps = { path: string; reason: string; target: string | undefined }

/** A SKILL.md file that is invalid or unreadable, or a link of the user that waits for their decision. */
export function UnreadableRow({ path, reason, target }: UnreadableProps): ReactNode {
  const [asks, setAsks] = useState(false)
  return (
    <div className="skill-folder text-xs text-ink-3">
      <FileX2 size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="break-words">
          {target === undefined
            ? placeElements('{path} cannot be read: {reason}', { path: <Path path={path} />, reason })
            : placeElements(
                '{path} is a link to {target}, outside your folder of skills, so it is not used.',
                {
                  path: <Path path={path} />,
                  target: <Path path={target} />,
                },
              )}
        </p>
        {target !== undefined && (
          <button
            type="button"
            aria-label={`Use the linked skills… ${path}`}
            className="link-btn text-xs"
            onClick={() => setAsks(true)}
          >
            Use the linked skills…
          </button>
        )}
      </div>
      {asks && target !== undefined && (
        <LinkDialog path={path} target={target} onClose={() => setAsks(false)} />
      )}
    </div>
  )
}

const Path = ({ path }: { path: string }) => (
  <span dir="ltr" className="font-mono break-all">
    {showHidden(path)}
  </span>
)

function LinkDialog({ path, target, onClose }: { path: string; target: string; onClose: () => void }) {
  const { allowLink } = useSkillActions()
  return (
    <Dialog title="Use the linked skills?" closeLabel="Close" onClose={onClose}>
      <p className="mb-3 text-xs">
        {placeElements('{path} links to {target}', {
          path: <Path path={path} />,
          target: <Path path={target} />,
        })}
      </p>
      <p className="text-sm text-ink-2">
        Chats may then use the skills there, including any added later, as if they were your own. The agent
        does not change them. If the link later points to another place, you are asked again.
      </p>
      <div className="mt-4 flex justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="btn btn-primary"
          onClick={() => {
            onClose()
            void allowLink(target, true)
          }}
        >
          Use the linked skills
        </button>
      </div>
    </Dialog>
  )
}

/** A place that the user's links point to, and that the user has allowed. */
export function LinkRow({ link: { target, skills } }: { link: SkillLink }): ReactNode {
  const { allowLink } = useSkillActions()
  return (
    <div className="skill-folder">
      <Link2 size={16} className="mt-0.5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <h2 dir="ltr" className="truncate text-start text-xs font-semibold" title={target}>
          {showHidden(target)}
        </h2>
        <p className="text-xs text-ink-3">
          {skills === 0
            ? 'One of your links pointed here. No skill from here is in use at the moment.'
            : byCount(
                skills,
                'One of your links points here. Chats can use the skill.',
                `One of your links points here. Chats can use ${formatCount(skills)} skills.`,
              )}
        </p>
        <button
          type="button"
          aria-label={`Stop using ${target}`}
          className="link-btn text-xs"
          onClick={() => void allowLink(target, false)}
        >
          Stop using these skills
        </button>
      </div>
    </div>
  )
}
