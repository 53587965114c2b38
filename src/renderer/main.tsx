import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { contract } from '../shared/contract/index.ts'
import './app.css'
import { App } from './App.tsx'
import { HostProvider } from './rpc/host-context.tsx'
import { reconnectingClient } from './rpc/link.ts'
import { openChannel } from './rpc/open-channel.ts'

const link = reconnectingClient(contract, openChannel)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <HostProvider link={link}>
      <App />
    </HostProvider>
  </StrictMode>,
)
