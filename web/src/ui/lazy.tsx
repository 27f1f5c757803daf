import { commonText } from '@meetmark/i18n/texts/common';
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
  Failed: ComponentType<Props & { again: () => void }>;
  waiting?: ReactNode;
}

/** Unlike React.lazy, this can load again after a failure: `Failed` is shown until it calls `again`. */
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
    // Suspense is outside the boundary, so that `Failed` stays visible while the component loads again
    return waiting === undefined ? bounded : <Suspense fallback={waiting}>{bounded}</Suspense>;
  };
  Lazy.arrived = () => component.load();
  return Lazy;
}

export const lazyPart = <Props extends object>(load: Load<Props>) =>
  lazyComponent(load, { Failed: AgainButton, waiting: null });

export const lazyExtra = <Props extends object>(load: Load<Props>) =>
  lazyComponent(load, { Failed: () => null, waiting: null });

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

export const AgainButton = ({ again }: { again: () => void }) => (
  <Button onClick={again}>{commonText.retry}</Button>
);

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

export const lazyScreen = (load: () => Promise<{ default: ComponentType }>) =>
  lazyComponent<object>(load, { Failed: ScreenUnavailable });

export function ScreenUnavailable({ again }: { again: () => void }) {
  useBackOnline(again);
  return <ErrorState error={null} retry={again} />;
}
