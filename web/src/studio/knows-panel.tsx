export function KnowsPanel() {
  return <p />;
}
