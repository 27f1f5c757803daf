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

  // resets the state here, because a new `key` would remove the old screen before the next one is loaded
  static getDerivedStateFromProps = ({ resetBy }: ErrorBoundaryProps, state: ErrorBoundaryState) =>
    resetBy === state.resetBy ? null : { crashed: false, resetBy, kept: keepNothing() };

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
    // the values must be copied now, because unmounting the crashed forms deletes them
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
