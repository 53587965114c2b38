import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { portRefused, type Desktop } from '../shared/desktop-bridge.ts'

// A MessagePort cannot cross the context bridge, so it is posted to the page. The bridge only requests it.
ipcRenderer.on('host-port', event => {
  window.postMessage('host-port', location.origin, [...event.ports])
})
ipcRenderer.on(portRefused, () => window.postMessage(portRefused, location.origin))

const desktop: Desktop = {
  requestPort: () => ipcRenderer.send('host-port'),
  pathOf: file => webUtils.getPathForFile(file as File),
}
contextBridge.exposeInMainWorld('desktop', desktop)
