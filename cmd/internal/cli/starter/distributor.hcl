# What is published, and where. Try it as it is:
#
#   distributor plan --out first.plan     decide what would change
#   distributor show first.plan           look at it again
#   distributor apply first.plan          carry it out
#
# Then change a file in bundle/, run "distributor bundle create bundle --id
# example", and plan again.

variable "webroot" {
  type        = string
  description = "Folder that a web server serves"
  default     = "public"
}

# A pipeline takes one bundle: a folder with a manifest.json.
pipeline "example" {
  source {
    path = "bundle"
  }

  # Markdown becomes HTML: guide/first-steps.md is published as
  # guide/first-steps/index.html, and index.md as index.html.
  publish {
    to      = destination.site
    include = ["**/*.md"]
    path    = file.stem == "index" ? "${file.dir}/index.html" : "${file.dir}/${file.stem}/index.html"

    transform "markdown_to_html" {
      # A page of your own, for your style sheet, say: an HTML file in the language
      # of Go's html/template, where {{.Title}} and {{.Content}} are the page and
      # {{.Root}}style.css is a file at the site's top. docs/pages.md of
      # distributor has one to start from, and all fields.
      # template = "templates/page.html"
    }
  }

  # Everything else is copied byte for byte.
  publish {
    to      = destination.site
    include = ["**"]
    exclude = ["**/*.md"]
  }
}

destination "site" {
  backend "local" {
    path = var.webroot
  }

  # "replacement" deletes what this pipeline published before and publishes no
  # longer. "additive", the default, keeps it.
  workflow "replacement" {
    max_delete = "50%"
  }

  # With links, every output has a URL in the catalog.
  # links {
  #   base_url = "https://www.example.com"
  #   primary  = "index.html"
  # }
}
