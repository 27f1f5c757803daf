import type { ComponentType } from 'react';
import { ErrorState } from '../ui/error-state';
import { lazyComponent } from '../ui/late';
import { useBackOnline } from '../ui/use-online';

/** A screen in a file of its own. One that has arrived already is shown at once, with nothing in between. */
export const screen = (load: () => Promise<{ default: ComponentType }>) =>
  lazyComponent<object>(load, { Failed: ScreenUnavailable });

function ScreenUnavailable({ again }: { again: () => void }) {
  useBackOnline(again);
  return <ErrorState error={null} retry={again} />;
}
