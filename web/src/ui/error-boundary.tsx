import { commonText } from '@meetmark/i18n/texts/common';
import { Button } from 'antd';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { EmptyState } from './feedback';
import { type KeptFields, KeptFieldsContext } from './kept-fields';

interface ErrorBoundaryProps {
  resetBy?: string;
  children: ReactNode;
}

interface ErrorBoundaryState {
  crashed: boolean;
  resetBy?: string;
  kept: KeptFields;
}

const keepNothing = (): KeptFields => ({ latest: new Map(), rescued: new Map() });

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = {
    crashed: false,
    resetBy: this.props.resetBy,
    kept: keepNothing(),
  };

  static getDerivedStateFromError = () => ({ crashed: true });

  // resets without a `key`, which would remove the painted screen before the next one is loaded
  static getDerivedStateFromProps = ({ resetBy }: ErrorBoundaryProps, state: ErrorBoundaryState) =>
    resetBy === state.resetBy ? null : { crashed: false, resetBy, kept: keepNothing() };

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
    // copies the values now, because forms clear them when they unmount right after this
    const rescued = new Map(this.state.kept.latest);
    this.setState({ kept: { latest: new Map(), rescued } });
  }

  override render() {
    if (!this.state.crashed)
      return <KeptFieldsContext value={this.state.kept}>{this.props.children}</KeptFieldsContext>;
    return (
      <EmptyState title={commonText.crashed} hint={commonText.crashedHint}>
        <Button type="primary" autoFocus onClick={() => this.setState({ crashed: false })}>
          {commonText.retry}
        </Button>
        <Button type="text" onClick={() => window.location.reload()}>
          {commonText.reload}
        </Button>
      </EmptyState>
    );
  }
}
