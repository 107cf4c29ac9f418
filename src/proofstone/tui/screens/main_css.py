"""How the main screen lays out its panes: three columns, tabs, boundary view, too small."""

MAIN_CSS = """
PanesScreen {
    #body { height: 1fr; }
    #left { width: 27%; }
    #middle { width: 1fr; }
    #right { width: 33%; }
    #turns { height: 2fr; }
    #queue { height: 3fr; }
    #evidence { height: 1fr; }
    #gate { height: 1fr; }
    #proposal { height: 5fr; }
    #verifier { height: 5fr; }
    #siblings { height: 4fr; }
    #card { height: 2; display: none; padding: 0 1; background: $ground; color: $ink; }
    #small { display: none; height: 1fr; content-align: center middle; color: $ink; }
    BoundaryView { display: none; width: 1fr; }
}
PanesScreen.-boundary {
    #middle, #right { display: none; }
    BoundaryView { display: block; }
}
PanesScreen.-tabs {
    TabStrip { display: block; }
    #left, #middle, #right { display: none; width: 1fr; }
    Pane { display: none; }
    #left.-active, #middle.-active, #right.-active { display: block; }
    Pane.-active { display: block; height: 1fr; }
}
PanesScreen.-tabs.-small.-card #card { display: block; }
PanesScreen.-tabs.-boundary {
    #left, #middle, #right, #left.-active, #middle.-active, #right.-active { display: none; }
    BoundaryView { display: block; }
}
PanesScreen.-tiny {
    TabStrip, #body, #card, KeyBar { display: none; }
    #small { display: block; }
}
"""
