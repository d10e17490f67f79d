import type { ComponentType } from 'preact'
import { Behaviours } from './views/behaviours.tsx'
import { Collections } from './views/collections.tsx'
import { Coverage } from './views/coverage.tsx'
import { Faults } from './views/faults.tsx'
import { History } from './views/history.tsx'
import { Outbox } from './views/outbox.tsx'
import { Files } from './views/files.tsx'
import { Requests } from './views/requests.tsx'
import { Sandboxes } from './views/sandboxes.tsx'
import { Schedules } from './views/schedules.tsx'

export interface View {
  /** The first part of its address: `#/requests`. */
  readonly path: string
  readonly title: string
  readonly component: ComponentType
  /** What the contract must be about; absent for views of every contract. */
  readonly of?: 'files' | 'schedules'
}

/** The views in the order of the navigation. The first is shown at first. */
export const VIEWS: readonly View[] = [
  { path: 'requests', title: 'Requests', component: Requests },
  { path: 'schedules', title: 'Schedules', component: Schedules, of: 'schedules' },
  { path: 'outbox', title: 'Outbox', component: Outbox, of: 'schedules' },
  { path: 'files', title: 'Files', component: Files, of: 'files' },
  { path: 'collections', title: 'Collections', component: Collections },
  { path: 'faults', title: 'Faults', component: Faults },
  { path: 'coverage', title: 'Coverage', component: Coverage },
  { path: 'sandboxes', title: 'Sandboxes', component: Sandboxes },
  { path: 'history', title: 'History', component: History },
  { path: 'behaviours', title: 'Behaviours', component: Behaviours },
]
