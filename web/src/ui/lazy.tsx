import { commonText } from '@meetmark/contracts/texts/common';
import { Button } from 'antd';
import {
  Component,
  type ComponentType,
  createElement,
  type ReactNode,
  startTransition,
  Suspense,
  use,
  useTransition,
} from 'react';
import { ErrorState } from './feedback';
import { type Part, part, PartUnavailable, useAwaitsPart } from './lazy-part';
import { useBackOnline } from './offline';
import { Slip } from './slip';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

interface LazyOptions<Props> {
  /** Takes the component's place when it could not be loaded; `again` loads it once more. */
  Failed: ComponentType<Props & { again: () => void }>;
  /** Shown until it has arrived; without it the Suspense boundary around decides. */
  waiting?: ReactNode;
}

/**
 * A component in a file of its own. When the file does not arrive, `Failed` takes its place and the rest of the page stays;
 * a button or a returning connection loads it again. React.lazy would keep the failure for good.
 */
export function lazyComponent<Props extends object>(
  load: Load<Props>,
  { Failed, waiting }: LazyOptions<Props>,
) {
  const component = part(async () => (await load()).default);
  const Arrived = (props: Props) => createElement(use(component.load()), props);
  const Lazy = (props: Props) => {
    const bounded = (
      <PartBoundary part={component} failed={(again) => <Failed {...props} again={again} />}>
        <Arrived {...props} />
      </PartBoundary>
    );
    // Around the boundary, so that `Failed` stays on screen while the component loads again.
    return waiting === undefined ? bounded : <Suspense fallback={waiting}>{bounded}</Suspense>;
  };
  /** Resolves when it can be shown at once. */
  Lazy.arrived = () => component.load();
  return Lazy;
}

/** A dialog in a file of its own, loaded when it is opened; a slip says when that fails or takes long. */
export const lazyDialog = <Props extends { close: () => void }>(load: Load<Props>) =>
  lazyComponent(load, { Failed: DialogUnavailable, waiting: null });

function DialogUnavailable({ again, close }: { again: () => void; close: () => void }) {
  const [underway, start] = useTransition();
  const tryAgain = () => start(again);
  useBackOnline(tryAgain);
  return (
    <Slip kind="alert" busy={underway} title={commonText.loadFailed} text={commonText.loadFailedHint}>
      <Button size="small" onClick={tryAgain}>
        {commonText.retry}
      </Button>
      <Button size="small" type="text" onClick={close}>
        {commonText.close}
      </Button>
    </Slip>
  );
}

/** Stands in for a part that could not be loaded. */
export const AgainButton = ({ again }: { again: () => void }) => (
  <Button onClick={again}>{commonText.retry}</Button>
);

/** Says that a part of the application is loading, once that takes long. */
export function AwaitedParts() {
  return useAwaitsPart() ? <Slip kind="status" busy title={commonText.loading} /> : null;
}

interface PartBoundaryProps {
  part: Part<unknown>;
  failed: (again: () => void) => ReactNode;
  children: ReactNode;
}

class PartBoundary extends Component<PartBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError = (error: unknown) => ({ error });

  /** Keeps what is on screen until the part has arrived. */
  private readonly again = () => {
    this.props.part.forget();
    startTransition(() => this.setState({ error: null }));
  };

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (!(error instanceof PartUnavailable)) throw error;
    return this.props.failed(this.again);
  }
}

/** A screen in a file of its own. A screen that has arrived is shown at once, without a spinner. */
export const lazyScreen = (load: () => Promise<{ default: ComponentType }>) =>
  lazyComponent<object>(load, { Failed: ScreenUnavailable });

/** Stands in for a screen, or a part of that size, that could not be loaded. */
export function ScreenUnavailable({ again }: { again: () => void }) {
  useBackOnline(again);
  return <ErrorState error={null} retry={again} />;
}
