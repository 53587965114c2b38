import { useState, type ReactNode } from 'react'
import type { McpFolder } from '../../../shared/contract/connections/mcp.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { useHostCall } from '../../use-host-call.ts'

/** The problems with servers of project folders. A folder that is not trusted yet can be trusted here. */
export function FolderNotes({ projects }: { projects: readonly McpFolder[] }): ReactNode {
  const [asks, setAsks] = useState<string>()
  return (
    <div className="notice-stack empty:hidden">
      {projects.map(({ folder, trusted, problems }) =>
        trusted ? (
          problems.length > 0 && (
            <Banner key={folder} level="warning">
              {`Problems in the .mcp.json of ${showHidden(folder)}:`}
              <ul className="ms-4 list-disc break-words">
                {problems.map(problem => (
                  <li key={problem}>{showHidden(problem)}</li>
                ))}
              </ul>
            </Banner>
          )
        ) : (
          <Banner
            key={folder}
            level="info"
            actions={
              <button
                type="button"
                aria-haspopup="dialog"
                aria-label={`Trust this folder… ${folder}`}
                className="btn btn-secondary"
                onClick={() => setAsks(folder)}
              >
                Trust this folder…
              </button>
            }
          >
            {`${showHidden(folder)} lists servers in its .mcp.json. Talaria does not read the file until you trust this folder.`}
          </Banner>
        ),
      )}
      {asks !== undefined && <TrustDialog folder={asks} onClose={() => setAsks(undefined)} />}
    </div>
  )
}

function TrustDialog({ folder, onClose }: { folder: string; onClose: () => void }) {
  const act = useHostCall()
  async function trust(): Promise<void> {
    if (await act(client => client['skills.trust']({ folder, trusted: true }))) onClose()
  }
  return (
    <Dialog title="Trust this folder?" closeLabel="Close" onClose={onClose}>
      <p dir="ltr" className="mb-3 font-mono text-xs break-all">
        {showHidden(folder)}
      </p>
      <p className="mb-4 text-sm text-ink-2">
        Chats in this folder then get its instructions and may use its skills, including any added later. Its
        servers appear on this page, and each stays off until you agree to it.
      </p>
      <DialogButtons label="Trust this folder" onClick={() => void trust()} onCancel={onClose} />
    </Dialog>
  )
}
