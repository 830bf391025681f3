"""A rule that generates Swift from log definitions."""

def _file_name(document):
    """Returns the name of the Swift file that loggen generates for a definition file."""
    stem = document.basename[:-len(".md")]
    if stem == "common":
        return "CommonColumns.swift"
    return "".join([word[0].upper() + word[1:] for word in stem.split("_") if word]) + ".swift"

def _loggen_swift_impl(ctx):
    documents = [
        file
        for file in ctx.files.definitions
        if file.extension == "md" and not file.basename.startswith("README")
    ]

    # swift_library accepts files, not folders, so the rule has to name each one.
    outputs = [ctx.actions.declare_file("%s/Swift/%s" % (ctx.label.name, _file_name(file))) for file in documents]
    folder = [ctx.label.workspace_root, ctx.label.package, ctx.attr.folder]
    ctx.actions.run(
        executable = ctx.executable._loggen,
        arguments = [
            "generate",
            "/".join([part for part in folder if part]),
            "--only",
            "swift",
            "--output",
            "/".join([part for part in [ctx.bin_dir.path] + folder[:2] + [ctx.label.name] if part]),
            "--quiet",
        ],
        inputs = ctx.files.definitions,
        outputs = outputs,
        mnemonic = "Loggen",
        progress_message = "Generating Swift from log definitions: %s" % ctx.label,
    )
    return [DefaultInfo(files = depset(outputs))]

loggen_swift = rule(
    implementation = _loggen_swift_impl,
    doc = "Generates a Swift file for each definition file.",
    attrs = {
        "definitions": attr.label_list(
            allow_empty = False,
            allow_files = True,
            doc = "All files of the definition folder: documents, loggen.yml, loggen.lock and templates.",
            mandatory = True,
        ),
        "folder": attr.string(
            default = "Definitions",
            doc = "The definition folder, relative to the package of the target.",
        ),
        "_loggen": attr.label(
            cfg = "exec",
            default = "@loggen//:loggen",
            executable = True,
        ),
    },
)
